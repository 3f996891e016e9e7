import { type Check, fine, problem } from './check.ts'

const OLDEST = [22, 15] as const

/** Whether this Node can run GraphMind and its preload; `version` without the v. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  return isNew
    ? fine('node', `Node ${version}`)
    : problem('node', `Node ${version} is too old.`, `Install Node ${OLDEST.join('.')} or newer.`)
}
