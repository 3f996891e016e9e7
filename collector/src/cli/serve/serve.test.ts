import { describe, expect, it } from 'vitest'
import { serve } from './serve.ts'

function recorder() {
  const out: string[] = []
  const err: string[] = []
  return { out, err, console: { out: (line: string) => out.push(line), err: (line: string) => err.push(line), isTerminal: false } }
}

describe('serve', () => {
  it('prints the address and what it armed, and opens nothing where nobody looks', async () => {
    const { out, err, console } = recorder()
    const started = await serve({ port: '0', db: ':memory:', otlpPorts: false, pauseOnError: 'tool' }, { environment: {}, console })
    if (!started.ok) throw new Error(started.problem.message)
    expect(out.join('\n')).toContain(started.value.url)
    expect(out.join('\n')).toContain('Pause on error: on, at tool nodes')
    expect(err).toEqual([])
    await started.value.stop()
  })

  it('keeps stdout to one line of JSON with --json', async () => {
    const { out, console } = recorder()
    const started = await serve({ port: '0', db: ':memory:', otlpPorts: false, json: true }, { environment: {}, console })
    if (!started.ok) throw new Error(started.problem.message)
    expect(out).toHaveLength(1)
    const { port, url } = started.value
    expect(JSON.parse(out[0] ?? '')).toEqual({ port, url, pid: process.pid, version: expect.any(String) })
    await started.value.stop()
  })
})
