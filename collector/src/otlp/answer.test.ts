import { describe, expect, it } from 'vitest'
import { ExportResponse, RpcStatus } from '../testing/descriptor.ts'
import { exportResponse, statusBody } from './answer.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describe('OTLP answers', () => {
  it('are empty when everything was taken', () => {
    expect(text(exportResponse('traces', 'json', 0, ''))).toBe('{}')
    expect(exportResponse('traces', 'protobuf', 0, '').byteLength).toBe(0)
  })

  it('count what was rejected under the field of the signal', () => {
    expect(JSON.parse(text(exportResponse('traces', 'json', 2, 'why')))).toEqual({
      partialSuccess: { rejectedSpans: '2', errorMessage: 'why' },
    })
    expect(JSON.parse(text(exportResponse('logs', 'json', 1, 'why')))).toEqual({
      partialSuccess: { rejectedLogRecords: '1', errorMessage: 'why' },
    })
    const decoded = ExportResponse.toObject(ExportResponse.decode(exportResponse('traces', 'protobuf', 2, 'why')), { longs: Number })
    expect(decoded).toEqual({ partialSuccess: { rejected: 2, errorMessage: 'why' } })
  })

  it('carry errors as a Status of the same format', () => {
    expect(JSON.parse(text(statusBody(400, 'json', 'bad')))).toEqual({ code: 3, message: 'bad' })
    expect(RpcStatus.toObject(RpcStatus.decode(statusBody(503, 'protobuf', 'later')))).toEqual({ code: 14, message: 'later' })
  })
})
