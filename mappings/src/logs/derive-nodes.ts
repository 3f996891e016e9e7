import { claudeCodeNodes } from './claude-code-session.ts'
import { codexNodes } from './codex.ts'
import type { DerivedNode } from './derived-node.ts'
import type { LogView } from './log-view.ts'

/** The nodes that the records of one session stand for, where there are no spans: those of programs that send logs only. */
export function deriveNodes(logs: readonly LogView[]): readonly DerivedNode[] {
  const codex = logs.filter((log) => log.name.startsWith('codex.'))
  const claude = logs.filter((log) => log.name.startsWith('claude_code.') && log.traceId === undefined)
  return [...codexNodes(codex), ...claudeCodeNodes(claude)]
}
