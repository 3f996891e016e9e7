import { type Check, fine, note, problem } from './check.ts'

const NAME = 'preload'
const PRELOAD = '@graphmind-ai/otel/register'

/** What of the folder's installed packages matters here. */
export interface Installed {
  /** Versions of our packages by name. */
  readonly ours: ReadonlyMap<string, string>
  /** Folders and versions of every copy of `@opentelemetry/api`. */
  readonly apis: readonly { readonly folder: string; readonly version: string }[]
}

/** Whether NODE_OPTIONS loads the preload, and whether it can be found from here. */
export function checkNodeOptions(nodeOptions: string | undefined, { ours }: Installed): Check {
  const isThere = ours.has('@graphmind-ai/otel')
  if (nodeOptions?.includes(PRELOAD) !== true) {
    return fine(NAME, isThere ? `NODE_OPTIONS loads no preload; node --import ${PRELOAD} app.js does.` : 'NODE_OPTIONS loads no preload.')
  }
  return isThere
    ? fine(NAME, `NODE_OPTIONS loads ${PRELOAD}.`)
    : problem(
        NAME,
        `NODE_OPTIONS loads ${PRELOAD}, which is not installed here: every node in this folder ends with an error.`,
        'npm install --save-dev @graphmind-ai/otel, or unset NODE_OPTIONS',
      )
}

/** Whether the installed packages fit this command line and each other; nothing where none is installed. */
export function checkInstalled({ ours, apis }: Installed, version: string): readonly Check[] {
  const others = [...ours].filter(([, found]) => found !== version)
  const checks: Check[] = []
  if (ours.size > 0) {
    checks.push(
      others.length === 0
        ? fine('packages', `${[...ours.keys()].join(', ')} ${version} installed here.`)
        : note(
            'packages',
            `${others.map(([name, found]) => `${name} ${found}`).join(', ')} beside graphmind ${version}.`,
            `npm install ${others.map(([name]) => `${name}@${version}`).join(' ')}`,
          ),
    )
  }
  const versions = new Set(apis.map((api) => api.version))
  if (versions.size > 1) {
    checks.push(
      note(
        'packages',
        `Several versions of @opentelemetry/api: ${apis.map((api) => `${api.version} in ${api.folder}`).join(', ')}. A provider registered with a newer one is not seen by the older.`,
        'npm dedupe, or pin one version with "overrides" in package.json',
      ),
    )
  }
  return checks
}
