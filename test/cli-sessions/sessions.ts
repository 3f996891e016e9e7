import type { Session } from './session.ts'

const RUN = '00abc0de000000000000000000000011'
const REQUESTS = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"city":"Lisbon"}}}',
]
const MCP_LIST = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'

/** Every command, with every flag of it at least once, in the order a new user meets them. */
export const SESSIONS: readonly Session[] = [
  {
    title: 'Getting help',
    about: 'A word that is not there, and a flag that is not there, are answered with the one that was meant.',
    steps: [
      { run: 'graphmind --version' },
      { run: 'graphmind -h | head -3' },
      { run: 'graphmind help wait' },
      { run: 'graphmind --help >/dev/full', exit: 1 },
      { run: 'graphmind sevre', exit: 1 },
      { run: 'graphmind serve --prot 1', exit: 1 },
    ],
  },
  {
    title: 'Serving',
    about: 'Ctrl+C stops the server; what it accepted is stored.',
    steps: [
      {
        start: 'graphmind serve --port 0 --no-open --no-otlp-ports --db runs.db --pause-on-error tool --allow-control edit',
        as: 'server',
        until: /(?<url>http:\/\/127\.0\.0\.1:(?<port>\d+)).*Press Ctrl\+C/s,
      },
      { run: 'graphmind serve --db runs.db', exit: 1 },
      { run: 'graphmind serve --pause-on-error sometimes', exit: 1 },
      { run: 'graphmind serve --allow-control everything', exit: 1 },
      { run: 'graphmind serve --host myhost', exit: 1 },
      { end: 'server' },
      {
        start: 'graphmind serve --port 0 --no-otlp-ports --db other.db --host 127.0.0.1 --no-edit-input --open',
        as: 'open',
        until: /:(?<port2>\d+).*Opening the viewer/s,
      },
      { end: 'open' },
      {
        start: 'graphmind serve --port 0 --no-otlp-ports --db other.db --json',
        as: 'json',
        until: /"port":(?<port3>\d+).*"version".*Press Ctrl\+C/s,
      },
      { end: 'json' },
    ],
  },
  {
    title: 'The demo, held and released from the command line',
    about: 'In one terminal the demo runs; in another one its failing call is waited for and released.',
    steps: [
      {
        start: 'graphmind demo --port 0 --db runs.db --no-open',
        as: 'demo',
        until: /(?<url>http:\/\/127\.0\.0\.1:(?<port>\d+))\/run\/(?<run>[\w-]+).*graphmind resume/s,
      },
      { run: 'graphmind wait --run {run} --timeout 60 --db runs.db', keep: { pause: /resume (\S+) --run/ } },
      { run: 'graphmind wait --port {port} --json' },
      { run: 'graphmind pauses --db runs.db --run {run}' },
      { run: 'graphmind pauses --port {port} --json' },
      { file: 'answer.json', text: '{"withinBudget": true}\n' },
      { run: 'graphmind resume {pause} --db runs.db --run {run} --action retry --input \'{"total": 1\'', exit: 1 },
      { run: 'graphmind resume {pause} --db runs.db --run {run} --action inject --output @answer.json --operator me --timeout 60' },
      { run: 'graphmind resume {pause} --port {port} --run {run} --action continue --json', exit: 7 },
      { run: 'graphmind resume {pause} --port {port} --action continue', exit: 4 },
      { end: 'demo', until: /The server stays up.*stop it/s },
      { run: 'graphmind pauses --db runs.db --port 9', exit: 3 },
      { run: 'graphmind demo --open --live --db runs.db', exit: 1 },
    ],
  },
  {
    title: 'Who may release',
    about: 'A server that was started plainly lets commands look.',
    steps: [
      {
        start: 'graphmind serve --port 0 --no-open --no-otlp-ports --db plain.db',
        as: 'server',
        until: /(?<url>http:\/\/127\.0\.0\.1:(?<port>\d+)).*Press Ctrl\+C/s,
      },
      { start: 'graphmind demo --db plain.db --no-open', as: 'demo', until: /\/run\/(?<other>[\w-]+).*in the viewer/s },
      { run: 'graphmind wait --db plain.db', keep: { pause: /Held: .* as (\S+)/ } },
      { run: 'graphmind resume {pause} --db plain.db --action abort', exit: 5 },
      { end: 'demo' },
      { end: 'server' },
    ],
  },
  {
    title: 'Recorded runs',
    about: 'With no server running the commands read the database themselves.',
    steps: [
      { run: 'graphmind runs --db none.db', exit: 1 },
      { run: 'graphmind import {cases}/10-jaeger-export/trace.json --db runs.db --port 4848' },
      { run: 'graphmind import {cases}/08-not-a-trace/README.md --db runs.db --json', exit: 1 },
      { run: 'graphmind runs --db runs.db --limit 1' },
      { run: "graphmind runs 'source:import' --db runs.db --json --cursor nonsense", exit: 1 },
      { run: "graphmind runs 'state:maybe' --db runs.db", exit: 1 },
      { run: 'graphmind search tariff --db runs.db' },
      { run: `graphmind search restart depot --db runs.db --run ${RUN} --kind tool --in name,error --limit 5` },
      { run: 'graphmind search depot --db runs.db --cursor 5 --json' },
      { run: `graphmind diff ${RUN} ${RUN} --db runs.db` },
      { run: `graphmind diff {run} ${RUN} --db runs.db --all`, exit: 1 },
      { run: `graphmind diff {run} ${RUN} --db runs.db --json | head -c 120`, exit: 0 },
      { run: `graphmind diff ${RUN} nobody --db runs.db`, exit: 2 },
      { run: `graphmind record ${RUN} --db runs.db` },
      { run: `graphmind record ${RUN} --db runs.db --html --out run.html --redact-secrets` },
      { run: `graphmind record ${RUN} --db runs.db --no-redact-secrets --out raw.ndjson` },
      { run: `graphmind export ${RUN} --db runs.db --format otlp-proto --out run.pb --redact-secrets` },
      { run: `graphmind export ${RUN} --db runs.db --no-redact-secrets 2>/dev/null | head -c 80` },
      { run: `graphmind remap ${RUN} --db runs.db` },
      { run: 'graphmind runs --db runs.db --prune --keep 1 --days 9999 --dry-run' },
      { run: `graphmind runs --db runs.db --rm ${RUN}` },
      { run: 'graphmind runs --db runs.db --clear', exit: 1 },
      { run: 'graphmind runs --db runs.db --clear --yes' },
      { run: 'graphmind runs --db runs.db' },
    ],
  },
  {
    title: 'A project of your own',
    about: '`init` says what a project needs, `doctor` why one does not show up.',
    steps: [
      {
        file: 'app/package.json',
        text: '{"name":"app","type":"module","scripts":{"start":"node app.js"},"dependencies":{"ai":"7.0.173","@ai-sdk/otel":"1.0.173"}}\n',
      },
      { run: 'graphmind init app' },
      { run: 'graphmind init app --json | head -c 60' },
      { run: 'graphmind init app --install | tail -4' },
      { run: 'graphmind init app --write | tail -5' },
      { file: 'other/package.json', text: '{"name":"other","dependencies":{"ai":"7.0.173"}}\n' },
      { file: 'other/pnpm-lock.yaml', text: 'lockfileVersion: 9.0\n' },
      { run: 'graphmind init other --install --json >plan.json', exit: 1 },
      { run: 'graphmind doctor --port 9 --db none.db', exit: 1 },
      { run: 'graphmind doctor --port 9 --db none.db --json | head -c 60' },
    ],
  },
  {
    title: 'Coding agents',
    about: 'What an MCP client sees of `graphmind mcp`, and the skill.',
    steps: [
      { file: 'ask.jsonl', text: `${REQUESTS[0]}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n${MCP_LIST}\n` },
      { run: 'cat ask.jsonl | graphmind mcp --db runs.db --port 4848 --allow-control | grep -o \'"name":"[a-z_]*"\'' },
      { run: 'graphmind skill | head -4' },
      { run: 'graphmind skill --install' },
      { run: 'echo mine > .claude/skills/graphmind/SKILL.md; graphmind skill --install', exit: 1 },
      { run: 'graphmind skill --install --force' },
    ],
  },
  {
    title: 'Proxies',
    about: 'Protocol on stdout, everything said about it on stderr.',
    steps: [
      { file: 'requests.jsonl', text: `${REQUESTS.join('\n')}\n` },
      {
        run: 'cat requests.jsonl | graphmind mcp-proxy --trace --port 9 --wait-for-attach --max-frame-bytes 100000 --inherit-stderr -- node {server} 2>said.txt',
      },
      { run: 'sort said.txt' },
      { run: 'graphmind mcp-proxy --port 9 -- no-such-server </dev/null', exit: 127 },
      { run: 'graphmind trustgraph-proxy --upstream http://localhost', exit: 1 },
      {
        start: 'graphmind trustgraph-proxy --upstream ws://127.0.0.1:9/api/v1/socket --listen 0 --port 9',
        as: 'proxy',
        until: /127\.0\.0\.1:(?<listen>\d+)/,
      },
      { end: 'proxy' },
    ],
  },
]
