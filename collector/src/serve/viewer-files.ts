import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { type RequestHandler, Router } from 'express'
import { packageFile } from '../package-file.ts'

const BUNDLED = packageFile('viewer-dist')

const PLACEHOLDER = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>GraphMind</title>
<body>
<h1>GraphMind is running</h1>
<p>The viewer is not built. Build it with <code>npm run build</code>, or point GRAPHMIND_VIEWER_DIST at a build of it.
The API and the sockets work meanwhile: see <a href="/api/runs">/api/runs</a>.</p>
</body>
</html>
`

/** The built viewer from `folder`, its page for every address of the viewer, or a page that says what is missing. */
export function viewerFiles(folder = BUNDLED): Router {
  const router = Router()
  const page = join(folder, 'index.html')
  // Asked on each request: a build may come while the server runs.
  const sendPage: RequestHandler = (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    if (existsSync(page)) response.sendFile(page)
    else response.type('html').send(PLACEHOLDER)
  }
  router.get('/', sendPage)
  router.use(express.static(folder, { index: false, redirect: false, setHeaders: cacheHashed }))
  router.get(/^\/(runs?|breakpoints|compare|settings|welcome)(\/|$)/, sendPage)
  return router
}

function cacheHashed(response: { setHeader(name: string, value: string): unknown }, path: string): void {
  // Vite puts a hash of the content into these names.
  if (/[/\\]assets[/\\]/.test(path)) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
}
