import { Option } from 'commander'

// Flags that mean the same wherever they appear.

export const databaseOption = () => new Option('--db <path>', 'database file (default $GRAPHMIND_DB, else ~/.graphmind/graphmind.db)')
export const jsonOption = (what: string) => new Option('--json', `print ${what}, for scripts`)
