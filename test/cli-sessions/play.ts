import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Session } from './session.ts'
import { CTRL_C, openTerminal, type Terminal } from './terminal.ts'

/** What a session looked like, as Markdown, and every command line as it was written, with the exit codes that were not as foretold. */
export interface Played {
  readonly text: string
  readonly surprises: readonly string[]
}

export interface Stage {
  readonly folder: string
  readonly env: Record<string, string>
  /** Values for `{name}`; steps add to them. */
  readonly values: Map<string, string>
}

/** Plays a session step by step in real terminals. What it started is ended, whatever happens. */
export async function play({ title, about, steps }: Session, { folder, env, values }: Stage): Promise<Played> {
  const [lines, surprises]: [string[], string[]] = [[], []]
  const open = new Map<string, Terminal>()
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
  const keep = (found: { readonly [name: string]: string | undefined }) => {
    for (const [name, value] of Object.entries(found)) if (value !== undefined) values.set(name, value)
  }
  const expectExit = (what: string, code: number, wanted = 0) => {
    if (code !== wanted) surprises.push(`${what} ended with ${code}, not ${wanted}`)
    if (code !== 0) lines.push(`(exit code ${code})`)
  }
  try {
    for (const step of steps) {
      if ('file' in step) {
        mkdirSync(dirname(join(folder, step.file)), { recursive: true })
        writeFileSync(join(folder, step.file), step.text)
      } else if ('run' in step) {
        const terminal = openTerminal(fill(step.run), { cwd: folder, env })
        const code = await terminal.ended
        const shown = terminal.fresh()
        keep(Object.fromEntries(Object.entries(step.keep ?? {}).map(([name, pattern]) => [name, pattern.exec(shown)?.[1]])))
        lines.push(`$ ${fill(step.run)}`, shown.trimEnd())
        expectExit(step.run, code, step.exit)
      } else if ('start' in step) {
        const terminal = openTerminal(fill(step.start), { cwd: folder, env })
        open.set(step.as, terminal)
        keep((await terminal.shows(step.until)).groups ?? {})
        lines.push(`$ ${fill(step.start)}`, terminal.fresh().trimEnd(), '')
      } else {
        const terminal = open.get(step.end)
        if (terminal === undefined) throw new Error(`Nothing was started as ${step.end}.`)
        if (step.until !== undefined) await terminal.shows(step.until)
        terminal.press(CTRL_C)
        const code = await terminal.ended
        open.delete(step.end)
        lines.push(`(in the terminal of ${step.end}: Ctrl+C)`, terminal.fresh().trim())
        expectExit(step.end, code, step.exit)
      }
      if (lines.at(-1) !== '') lines.push('')
    }
  } finally {
    for (const terminal of open.values()) terminal.kill()
  }
  return {
    text: `## ${title}\n\n${about}\n\n\`\`\`text\n${lines
      .join('\n')
      .trim()
      .replaceAll(/\n{3,}/g, '\n\n')}\n\`\`\`\n`,
    surprises,
  }
}
