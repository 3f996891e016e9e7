import { describe, expect, it } from 'vitest'
import { mapSpan } from './registry.ts'
import { startNoticeOf } from './start-notice.ts'
import { spanWith } from './testing/spans.ts'

const notice = {
  'logfire.span_type': 'pending_span',
  'logfire.msg_template': 'handling {route}',
  'logfire.pending_parent_id': '0000000000000000',
}

describe('startNoticeOf', () => {
  it('gives the announced span, open and under its real parent', () => {
    const announced = startNoticeOf(
      spanWith({ ...notice, 'logfire.pending_parent_id': '00F067AA0BA902B7' }, { parentSpanId: 'aaaaaaaaaaaaaaaa' }),
    )
    expect(announced).toMatchObject({ spanId: 'aaaaaaaaaaaaaaaa', parentSpanId: '00f067aa0ba902b7', endNanos: undefined })
    expect(announced && mapSpan(announced)).toMatchObject({ role: 'node', nodeId: 'custom:handling {route}' })
  })

  it('takes zeros for a root', () => {
    expect(startNoticeOf(spanWith(notice, { parentSpanId: 'aaaaaaaaaaaaaaaa' }))?.parentSpanId).toBeUndefined()
  })

  it('leaves other spans alone', () => {
    expect(startNoticeOf(spanWith({ 'logfire.span_type': 'log' }, { parentSpanId: 'aaaaaaaaaaaaaaaa' }))).toBeUndefined()
    expect(startNoticeOf(spanWith(notice))).toBeUndefined()
  })
})
