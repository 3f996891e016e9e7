import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))

// The viewer as one script and one style sheet, which `graphmind record --html` puts into a page that asks nobody for anything.
export default defineConfig({
  plugins: [
    react(),
    {
      name: 'layout-thread-inside',
      enforce: 'pre',
      resolveId: (id, importer) =>
        id === './layout-thread.ts' && importer?.includes('/panels/graph/') ? source('recorded/layout-thread.ts') : undefined,
    },
    {
      name: 'no-prices-inside',
      enforce: 'pre',
      resolveId: (id) => (id === '../link/load-prices.ts' ? source('recorded/load-prices.ts') : undefined),
    },
  ],
  publicDir: false,
  build: {
    outDir: '../collector/viewer-recorded',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      input: source('recorded/main.tsx'),
      output: { codeSplitting: false, entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]' },
    },
  },
  // A page from a file may not load a module into a worker.
  worker: { format: 'iife' },
})
