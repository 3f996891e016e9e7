import { Option } from 'commander'

// Flags that mean the same wherever they appear.

export const databaseOption = () => new Option('--db <path>', 'database file (default $GRAPHMIND_DB, else ~/.graphmind/graphmind.db)')
export const jsonOption = (what: string) => new Option('--json', `print ${what}, for scripts`)
/** Two options that are one switch, on unless `--no-redact-secrets`. */
export const redactOptions = (): readonly [Option, Option] => [
  new Option('--redact-secrets', 'put __REDACTED__ in place of values under keys like authorization or api_key').default(true, 'on'),
  new Option('--no-redact-secrets', 'keep those values'),
]
export const serverPortOption = () =>
  new Option('--port <n>', 'port of the server (default: the one that has the database open, else 4747)')
