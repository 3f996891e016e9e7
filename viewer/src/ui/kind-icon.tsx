import type { NodeKind } from '@graphmind-ai/schema'
import { Bot, Box, FileText, Link2, type LucideIcon, MessageSquareText, Plug, Quote, Search, Sparkles, Wrench } from 'lucide-react'

const ICONS: Record<NodeKind, LucideIcon> = {
  agent: Bot,
  llm: Sparkles,
  tool: Wrench,
  chain: Link2,
  retriever: Search,
  server: Plug,
  resource: FileText,
  prompt: Quote,
  custom: Box,
}

/** A kind's icon; the kind's word stands beside it or in the name of what carries it. */
export function KindIcon({ kind, size = 14 }: { kind: NodeKind; size?: number }) {
  const Icon = ICONS[kind] ?? MessageSquareText
  return <Icon size={size} strokeWidth={1.75} aria-hidden="true" />
}
