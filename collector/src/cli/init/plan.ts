import { VERSION } from '../../version.ts'
import { type NodeFramework, nodeFrameworks } from './node-frameworks.ts'
import { asRecord, type NodeProject, type Project, type PythonProject } from './project.ts'
import { type PythonFramework, pythonFrameworks } from './python-frameworks.ts'

const NODE_FILE = 'graphmind.mjs'
const PYTHON_FILE = 'graphmind_tracing.py'
const SCRIPT = 'graphmind'
/** Our file loads it, too. */
const PRELOAD = ' --import @graphmind-ai/otel/register'

/** What a project needs to show up in GraphMind. */
export interface Plan {
  readonly language: 'node' | 'python'
  readonly frameworks: readonly { readonly name: string; readonly package: string }[]
  /** Whether calls can be held, or only seen. */
  readonly holds: boolean
  /** A command line; undefined when everything is there already. */
  readonly install: string | undefined
  /** A new file. */
  readonly file: { readonly path: string; readonly text: string }
  /** What goes into package.json. */
  readonly packageJson?: PackageChange
  /** What only the author can do, a sentence each. */
  readonly inCode: readonly string[]
  /** How the program is started from then on. */
  readonly start: string
}

export interface PackageChange {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
}

/** A plan for each language that the project is written in; none when it is written in neither. */
export function plansFor({ node, python }: Project): readonly Plan[] {
  return [...(node === undefined ? [] : [nodePlan(node)]), ...(python === undefined ? [] : [pythonPlan(python)])]
}

function nodePlan(project: NodeProject): Plan {
  const frameworks = nodeFrameworks(project.dependencies)
  const needed = ['@graphmind-ai/otel', ...frameworks.flatMap(({ needs }) => needs)].filter((name) => !project.dependencies.has(name))
  const start = startOf(project)
  return {
    language: 'node',
    frameworks: frameworks.map(({ name, package: of }) => ({ name, package: of })),
    holds: true,
    install: installLine(INSTALL[project.manager], needed),
    file: { path: NODE_FILE, text: nodeFile(frameworks) },
    packageJson: {
      devDependencies: Object.fromEntries(needed.map((name) => [name, name === '@graphmind-ai/otel' ? `^${VERSION}` : 'latest'])),
      scripts: SCRIPT in asRecord(project.packageJson.scripts) ? {} : { [SCRIPT]: start },
    },
    inCode: [...new Set(frameworks.flatMap(({ inCode }) => inCode ?? []))],
    start,
  }
}

function nodeFile(frameworks: readonly NodeFramework[]): string {
  const lines = frameworks.flatMap(({ setUp }) => setUp)
  const [imports, calls] = [lines.filter(isImport), lines.filter((line) => !isImport(line))]
  return [
    '// Shows this program in GraphMind and lets its calls be held. Does nothing under NODE_ENV=production.',
    "import '@graphmind-ai/otel/register'",
    ...imports,
    ...(calls.length === 0 ? [] : ['', ...calls]),
    '',
  ].join('\n')
}

const isImport = (line: string): boolean => line.startsWith('import ')

const INSTALL: Readonly<Record<NodeProject['manager'], string>> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
}

function installLine(tool: string, needed: readonly string[]): string | undefined {
  return needed.length === 0 ? undefined : `${tool} ${needed.join(' ')}`
}

/** The project's own start command with our file in front of the program. */
function startOf({ packageJson }: NodeProject): string {
  const scripts = asRecord(packageJson.scripts)
  const command = [scripts['start'], scripts['dev']].find((script) => typeof script === 'string')?.replace(PRELOAD, '')
  const main = typeof packageJson.main === 'string' ? packageJson.main : 'app.js'
  if (command === undefined) return `node --import ./${NODE_FILE} ${main}`
  const [, runner, rest] = /^(node|tsx)\s+(.+)$/.exec(command.trim()) ?? []
  if (runner !== undefined && rest !== undefined) return `${runner} --import ./${NODE_FILE} ${rest}`
  // What the command starts in turn is Node, too.
  return `NODE_OPTIONS="--import ./${NODE_FILE}" ${command}`
}

function pythonPlan({ manager, dependencies }: PythonProject): Plan {
  const frameworks = pythonFrameworks(dependencies)
  const needed = ['opentelemetry-sdk', 'opentelemetry-exporter-otlp-proto-http', ...frameworks.flatMap(({ needs }) => needs)].filter(
    (name) => !dependencies.has(name),
  )
  const add = { pip: 'pip install', uv: 'uv add --dev', poetry: 'poetry add --group dev' }[manager]
  return {
    language: 'python',
    frameworks: frameworks.map(({ name, package: of }) => ({ name, package: of })),
    holds: false,
    install: installLine(add, needed),
    file: { path: PYTHON_FILE, text: pythonFile(frameworks) },
    inCode: [`Put "import ${PYTHON_FILE.replace('.py', '')}" before every other import of your program.`],
    start: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4747 OTEL_BSP_SCHEDULE_DELAY=200 python app.py',
  }
}

function pythonFile(frameworks: readonly PythonFramework[]): string {
  return [
    '"""Shows this program in GraphMind. OTEL_EXPORTER_OTLP_ENDPOINT says where that is."""',
    ...[
      ...frameworks.flatMap(({ imports }) => imports),
      'from opentelemetry import trace',
      'from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter',
      'from opentelemetry.sdk.trace import TracerProvider',
      'from opentelemetry.sdk.trace.export import BatchSpanProcessor',
    ].sort(),
    '',
    'provider = TracerProvider()',
    'provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
    'trace.set_tracer_provider(provider)',
    ...frameworks.flatMap(({ setUp }) => setUp),
    '',
  ].join('\n')
}
