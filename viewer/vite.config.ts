import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const collector = process.env['GRAPHMIND_COLLECTOR'] ?? 'http://127.0.0.1:4747'

export default defineConfig({
  plugins: [react()],
  // The collector serves this folder; it is one of its build outputs.
  build: { outDir: '../collector/viewer-dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 600 },
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: {
      // The collector checks Host and Origin, so the proxy speaks as the collector's own page.
      '/api': { target: collector, changeOrigin: true, headers: { origin: collector } },
      '/ws': { target: collector, changeOrigin: true, ws: true, headers: { origin: collector } },
    },
  },
})
