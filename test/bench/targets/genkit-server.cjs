const { createRequire } = require('node:module')

const [, , home, port, folder] = process.argv
const { LocalFileLogStore, LocalFileTraceStore, startTelemetryServer } = createRequire(`${home}/package.json`)(
  '@genkit-ai/telemetry-server',
)
const places = { storeRoot: folder, indexRoot: folder }
startTelemetryServer({ port: Number(port), traceStore: new LocalFileTraceStore(places), logStore: new LocalFileLogStore(places) })
