/** In a file of its own, so that reading a command line needs no schema library. */
export const NODE_KINDS = ['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom'] as const
