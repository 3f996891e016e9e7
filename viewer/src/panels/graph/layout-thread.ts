/** The thread that lays graphs out. A recorded page has it inside itself (`recorded/layout-thread.ts`). */
export const startLayoutThread = (): Worker => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
