import { Option } from 'commander'

// Flags that mean the same wherever they appear.

export const databaseOption = () => new Option('--db <path>', 'database file (default $GRAPHMIND_DB, else ~/.graphmind/graphmind.db)')
export const jsonOption = (what: string) => new Option('--json', `print ${what}, for scripts`)
export const serverPortOption = () =>
  new Option('--port <n>', 'port of the server (default: the one that has the database open, else 4747)')
