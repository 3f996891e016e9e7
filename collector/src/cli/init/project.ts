/** What the files of a project say about it. */
export interface Project {
  readonly node: NodeProject | undefined
  readonly python: PythonProject | undefined
  /** Languages that are only observed, by their manifest. */
  readonly others: readonly string[]
}

export interface NodeProject {
  readonly packageJson: PackageJson
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Everything it depends on, with the wanted version. */
  readonly dependencies: ReadonlyMap<string, string>
}

export interface PackageJson {
  readonly name?: unknown
  readonly main?: unknown
  readonly scripts?: unknown
  readonly dependencies?: unknown
  readonly devDependencies?: unknown
  readonly optionalDependencies?: unknown
}

export interface PythonProject {
  readonly manager: 'pip' | 'uv' | 'poetry'
  /** Distribution names in their normal form. */
  readonly dependencies: ReadonlySet<string>
}

/** Files of a project by name; those that are not there are absent. */
export type ProjectFiles = ReadonlyMap<string, string>

/** Names of the files that `readProject` looks into or at. */
export const MANIFESTS = [
  'package.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'requirements.txt',
  'requirements-dev.txt',
  'requirements.in',
  'pyproject.toml',
  'uv.lock',
  'poetry.lock',
  'setup.py',
  'Pipfile',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
] as const

const OTHER_LANGUAGES: readonly (readonly [file: string, language: string])[] = [
  ['go.mod', 'Go'],
  ['pom.xml', 'Java'],
  ['build.gradle', 'Java'],
  ['build.gradle.kts', 'Java'],
  ['Gemfile', 'Ruby'],
]

/** Reads the manifests. A package.json that is no JSON counts as one that says nothing. */
export function readProject(files: ProjectFiles): Project {
  return {
    node: readNode(files),
    python: readPython(files),
    others: [...new Set(OTHER_LANGUAGES.flatMap(([file, language]) => (files.has(file) ? [language] : [])))],
  }
}

function readNode(files: ProjectFiles): NodeProject | undefined {
  const text = files.get('package.json')
  if (text === undefined) return undefined
  const packageJson: PackageJson = asRecord(parse(text))
  const lists = [packageJson.dependencies, packageJson.devDependencies, packageJson.optionalDependencies]
  const dependencies = lists.flatMap((list) => Object.entries(asRecord(list)).map(([name, version]) => [name, String(version)] as const))
  return { packageJson, manager: nodeManager(files), dependencies: new Map(dependencies) }
}

function nodeManager(files: ProjectFiles): NodeProject['manager'] {
  if (files.has('pnpm-lock.yaml')) return 'pnpm'
  if (files.has('yarn.lock')) return 'yarn'
  return files.has('bun.lock') || files.has('bun.lockb') ? 'bun' : 'npm'
}

function readPython(files: ProjectFiles): PythonProject | undefined {
  const texts = ['requirements.txt', 'requirements-dev.txt', 'requirements.in', 'pyproject.toml', 'setup.py', 'Pipfile'].flatMap(
    (name) => files.get(name) ?? [],
  )
  if (texts.length === 0) return undefined
  const manager = files.has('uv.lock') ? 'uv' : files.has('poetry.lock') ? 'poetry' : 'pip'
  return { manager, dependencies: new Set(texts.flatMap(distributionsIn)) }
}

/**
 * Names of distributions in a requirements file, a TOML list or table, or a setup.py: words at the start of a line or a quoted text. More
 * than the dependencies, which does no harm: only names of frameworks are looked for.
 */
function distributionsIn(text: string): readonly string[] {
  const withoutComments = text.replace(/(^|\s)#.*$/gm, '$1')
  return [...withoutComments.matchAll(/(?:^|["'])\s*([A-Za-z0-9][\w.-]*)/gm)].map(([, name = '']) => normalName(name))
}

/** PEP 503: letter case and the kind of separator make no difference. */
function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined // Somebody is editing it.
  }
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
