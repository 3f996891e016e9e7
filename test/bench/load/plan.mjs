import { text } from './random.mjs'

const MODELS = [
  ['openai', 'gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
  ['anthropic', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
  ['gcp.gemini', 'gemini-2.5-flash', 'gemini-2.5-flash'],
]
const TOOLS = ['web_search', 'read_file', 'sql_query', 'send_email', 'get_weather', 'run_python']
const AGENTS = ['planner', 'researcher', 'writer', 'reviewer']

// A run is a tree of neutral steps: {id, parent, kind: agent|llm|tool, ...}; the dialect
// functions below turn each step into one span. Exactly `spans` steps come out.
export function plan(r, o, index, dialect) {
  const [provider, model, responseModel] = MODELS[index % MODELS.length]
  const steps = []
  const t0 = BigInt(o.start + index * 1000) * 1000000n
  let clock = 0n // ns since t0
  const us = (n) => BigInt(n) * 1000n
  const add = (s) => {
    steps.push({ id: r.hex(8), events: [], ...s })
    return steps[steps.length - 1]
  }
  const traceId = r.hex(16)
  const sessions = o.sessions || Math.max(1, Math.ceil(o.runs / 5))
  const session = `conv-${String(index % sessions).padStart(6, '0')}`
  const root = add({ parent: null, kind: 'agent', name: AGENTS[0], start: 0n })
  const system = text(r, 300)
  const history = [{ role: 'user', text: text(r, o.text) }]
  const open = [root] // stack of agents
  let calls = 0
  let stepNo = 0
  while (steps.length < o.spans) {
    const agent = open[open.length - 1]
    if (open.length < 3 && steps.length + 6 < o.spans && r.next() < 0.12) {
      clock += us(r.int(200, 900))
      open.push(add({ parent: agent.id, kind: 'agent', name: r.pick(AGENTS.slice(1)), start: clock }))
      continue
    }
    clock += us(r.int(100, 600))
    // AI SDK 7 wraps each model call and its tools in a step span.
    const step =
      dialect === 'ai-sdk-7' && o.spans - steps.length >= 2 ? add({ parent: agent.id, kind: 'step', number: ++stepNo, start: clock }) : null
    const parent = step ? step.id : agent.id
    const left = o.spans - steps.length - 1
    const n = Math.min(left, r.pick([0, 1, 1, 2, 3]))
    const wanted = []
    for (let i = 0; i < n; i++) {
      wanted.push({ id: `call_${r.hex(6)}`, tool: r.pick(TOOLS), args: { query: text(r, 60), limit: r.int(1, 20) } })
    }
    const llm = add({
      parent,
      kind: 'llm',
      provider,
      model,
      responseModel,
      start: clock,
      system,
      input: history.slice(-8).map((m) => ({ ...m })),
      calls: wanted,
      output: n ? '' : text(r, o.text),
      responseId: `resp_${r.hex(8)}`,
      ttft: r.int(80, 900),
    })
    const inTok = Math.ceil((system.length + llm.input.reduce((a, m) => a + (m.text || '').length, 0)) / 4)
    llm.inputTokens = inTok
    llm.cachedTokens = calls ? Math.floor(inTok * 0.6) : 0
    llm.outputTokens = Math.max(5, Math.ceil(llm.output.length / 4) + n * 24)
    clock += us(r.int(300_000, 2_500_000))
    llm.end = clock
    calls++
    history.push({ role: 'assistant', text: llm.output, calls: wanted })
    for (const c of wanted) {
      clock += us(r.int(50, 400))
      const failed = r.next() < o.errorRate
      const tool = add({
        parent,
        kind: 'tool',
        tool: c.tool,
        callId: c.id,
        args: c.args,
        start: clock,
        failed,
        result: failed ? null : { ok: true, rows: r.int(0, 9), text: text(r, Math.floor(o.text * 0.75)) },
      })
      clock += us(r.int(5_000, 400_000))
      tool.end = clock
      if (failed) tool.events.push({ name: 'exception', at: clock, type: 'TimeoutError', message: `${c.tool} timed out` })
      history.push({ role: 'tool', text: failed ? `${c.tool} timed out` : tool.result.text, callId: c.id })
    }
    if (step) step.end = clock + us(20)
    if (open.length > 1 && r.next() < 0.4) open.pop().end = clock + us(50)
  }
  clock += us(500)
  for (const a of open.reverse()) {
    clock += us(50)
    a.end = clock
  }
  for (const s of steps) {
    s.t0 = t0 + s.start
    s.t1 = t0 + s.end
    for (const e of s.events) e.t = t0 + e.at
  }
  return { traceId, session, steps, system, model, provider, firstUser: history[0].text }
}
