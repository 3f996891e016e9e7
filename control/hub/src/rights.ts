import type { ResumeAnswer, ResumeRequest } from './pauses/desk.ts'

/** How far somebody may control running programs. Each level may what those before it may, too. */
export const CONTROL_LEVELS = ['off', 'resume', 'inject', 'edit'] as const
export type ControlLevel = (typeof CONTROL_LEVELS)[number]

/** Who acts, as the record names them, and how far they may. */
export interface Caller {
  readonly principal: string
  readonly level: ControlLevel
}

/** Whoever sits at the viewer may do everything. */
export const VIEWER: Caller = { principal: 'viewer', level: 'edit' }

/** Whether a caller of this level may do what needs the other one. */
export function allows(level: ControlLevel, needed: ControlLevel): boolean {
  return CONTROL_LEVELS.indexOf(level) >= CONTROL_LEVELS.indexOf(needed)
}

/** What to say to a caller whose level is too low for this. */
export function forbidden(level: ControlLevel, needed: ControlLevel): string {
  return `Agents and commands may not do this here: the server has --allow-control ${level}. Do it in the viewer, or start the server with graphmind serve --allow-control ${needed}.`
}

/** The answer to a wish that its caller may not have; undefined when it may. */
export function refusalOf(request: ResumeRequest, editInput: boolean): ResumeAnswer | undefined {
  const { action, input, level = VIEWER.level } = request
  if (input !== undefined && !editInput)
    return { outcome: 'refused', code: 'edit-refused', message: 'This server was started with --no-edit-input: inputs stay as they are.' }
  const needed = input !== undefined ? 'edit' : action === 'inject' ? 'inject' : 'resume'
  return allows(level, needed) ? undefined : { outcome: 'refused', code: 'forbidden', message: forbidden(level, needed) }
}
