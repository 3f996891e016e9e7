import LayoutWorker from '../panels/graph/layout-worker.ts?worker&inline'

/** Takes the place of `panels/graph/layout-thread.ts` in a page that is one file (`vite.recorded.config.ts`). */
export const startLayoutThread = (): Worker => new LayoutWorker()
