import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './settings.ts'

/** The folder for what this user's GraphMind keeps beside its database. */
export function graphmindHome(environment: Environment): string {
  return environment['GRAPHMIND_HOME'] || join(homedir(), '.graphmind')
}
