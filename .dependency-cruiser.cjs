// Imports go one way (docs/architecture.md). Each rule is one forbidden arrow with its reason.
const IN = {
  schema: '^control/schema/',
  client: '^control/client/',
  hub: '^control/hub/',
  mappings: '^mappings/',
  instrumentation: '^instrumentation/',
  collector: '^collector/',
  viewer: '^viewer/',
}

/** Forbids `from` to import any of our packages but those in `allowed`. */
const mayImportOnly = (from, allowed, comment) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment,
  from: { path: IN[from], pathNot: '\\.test\\.tsx?$|/testing/|/test-support/' },
  to: {
    path: Object.entries(IN)
      .filter(([name]) => name !== from && !allowed.includes(name))
      .map(([, path]) => path),
  },
})

module.exports = {
  forbidden: [
    mayImportOnly('schema', [], 'The wire contract is the leaf: every part and every language builds on it, and it runs in a browser.'),
    mayImportOnly('client', ['schema'], 'The app side of the channel must stay light and know no OpenTelemetry.'),
    mayImportOnly('hub', ['schema'], 'The hub has no HTTP, no storage and no idea of spans.'),
    mayImportOnly('mappings', ['schema'], 'What a span means is pure: it runs in the agent and in the collector.'),
    mayImportOnly(
      'instrumentation',
      ['schema', 'client', 'mappings'],
      'What is loaded into a user’s program must not bring the collector along.',
    ),
    mayImportOnly(
      'collector',
      ['schema', 'client', 'hub', 'mappings'],
      'The collector serves; it does not instrument, and finds the viewer as built files.',
    ),
    {
      name: 'collector-imports-client-in-three-places',
      severity: 'error',
      comment:
        'The proxies and the demo are programs that are debugged, and the doctor reads settings as programs do; the rest of the collector is the debugger.',
      from: { path: IN.collector, pathNot: '^collector/src/(proxies|demo|cli/doctor)/|\\.test\\.ts$|/testing/' },
      to: { path: IN.client },
    },
    {
      name: 'proxies-know-no-server',
      severity: 'error',
      comment: 'A proxy is an app: it uses the app side of the channel, and none of the server.',
      from: { path: '^collector/src/proxies/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: [IN.hub, IN.mappings, '^collector/src/(?!proxies/|problem\\.ts$|version\\.ts$)'] },
    },
    mayImportOnly('viewer', ['schema'], 'The viewer knows the wire and nothing else.'),
    {
      name: 'schema-has-no-node',
      severity: 'error',
      comment: 'The schema runs in a browser.',
      from: { path: '^control/schema/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'mappings-have-no-node',
      severity: 'error',
      comment: 'Mappings are pure: no I/O.',
      from: { path: '^mappings/src/', pathNot: '\\.test\\.ts$|/testing/|/test-support/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'command-line-loads-lazily',
      severity: 'error',
      comment: 'What a user types is read before any work is loaded: a command imports its work inside cli.perform.',
      from: { path: '^collector/src/cli/(main|program|help|options|commands/[^/]+)\\.ts$' },
      to: {
        path: '^collector/src/',
        pathNot: '^collector/src/(cli/(program|cli|help|options|exit-codes|telemetry/policy|commands/[^/]+)|problem|version)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means that two files are one idea.',
      from: { path: '/src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'An import that resolves to nothing breaks a fresh clone.',
      from: { path: '/src/' },
      to: { couldNotResolve: true, pathNot: '\\?(worker|url|raw)$|^virtual:' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '\\.css$|/fixtures/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.d.ts'],
    },
  },
}
