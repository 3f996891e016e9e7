// An MCP server for tests, driven by what it is asked: every tool misbehaves in a way of its own. What it receives it tells in `received`.
import { createInterface } from 'node:readline'

const received = []
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`)
const answer = (id, result) => send({ jsonrpc: '2.0', id, result })
const text = (value) => ({ content: [{ type: 'text', text: value }] })
let calls = 0

const TOOLS = {
  echo: (id, { arguments: args }) => answer(id, text(JSON.stringify(args))),
  count: (id) => {
    calls += 1
    answer(id, text(`call ${calls}`))
  },
  received: (id) => answer(id, text(JSON.stringify(received))),
  fail: (id) => answer(id, { ...text('out of order'), isError: true }),
  failOnce: (id) => {
    calls += 1
    if (calls > 1) return answer(id, text('second time'))
    send({ jsonrpc: '2.0', id, error: { code: -32000, message: 'first time' } })
  },
  silent: () => undefined,
  // Spelled as no serializer of ours would: order, blanks, escapes, numbers, CRLF.
  odd: (id) =>
    process.stdout.write(
      `{"result": {"content":[{"text":"\\u00fc\\/ é", "type":"text"}],"n": 1.0, "n":1e2},"id":${id} ,"jsonrpc":"2.0"}\r\n`,
    ),
  noise: (id) => {
    for (let line = 0; line < 30; line += 1) process.stdout.write(`debug line ${line} ${'ü'.repeat(200)}\n`)
    answer(id, text('done'))
  },
  sample: (id) => send({ jsonrpc: '2.0', id: `s-${id}`, method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } }),
  notify: (id) => {
    send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } })
    answer(id, text('notified'))
  },
  crash: () => {
    process.stderr.write('the disk is on fire\n')
    process.exitCode = 3
    process.stdin.destroy()
  },
  large: (id, { arguments: { bytes } }) => answer(id, text('x'.repeat(bytes))),
  batch: (id) => process.stdout.write(`${JSON.stringify([{ jsonrpc: '2.0', id, result: text('in a batch') }])}\n`),
}

const METHODS = {
  initialize: (id, { protocolVersion }) =>
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test-server', version: '1.0.0' } }),
  'tools/list': (id) =>
    answer(id, {
      tools: [
        { name: 'echo', inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
        { name: 'fail', inputSchema: { type: 'object' } },
      ],
    }),
  'resources/read': (id, { uri }) => answer(id, { contents: [{ uri, text: 'the resource' }] }),
  'prompts/get': (id) => answer(id, { messages: [] }),
  'tools/call': (id, params) => TOOLS[params.name]?.(id, params) ?? undefined,
  ping: (id) => answer(id, {}),
}

process.stderr.write('ready\n')
createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  received.push(line)
  let frame
  try {
    frame = JSON.parse(line)
  } catch {
    return
  }
  if (frame.method === undefined && String(frame.id).startsWith('s-'))
    return answer(Number(frame.id.slice(2)), text(JSON.stringify(frame.result ?? frame.error)))
  if (frame.id !== undefined) METHODS[frame.method]?.(frame.id, frame.params)
})
