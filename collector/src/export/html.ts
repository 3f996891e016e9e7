import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../package-file.ts'
import { NOT_LIVE, runInfoOf } from '../store/reads/run-info.ts'
import { findRun } from '../store/reads/runs.ts'
import { VERSION } from '../version.ts'
import type { ExportFormat } from './format.ts'
import { ndjson } from './ndjson.ts'

/** One page with the run and the viewer in it, for anyone with a browser. Its policy lets it ask nobody for anything. */
export const html: ExportFormat = {
  contentType: 'text/html; charset=utf-8',
  extension: 'html',

  async *write(database, run, mask) {
    const row = await findRun(database, run.id)
    if (row === undefined) return
    const info = runInfoOf(row, NOT_LIVE)
    const script = inScript(readFileSync(packageFile('viewer-recorded/viewer.js'), 'utf8'))
    const style = readFileSync(packageFile('viewer-recorded/viewer.css'), 'utf8').replaceAll('</style', '<\\/style')
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; font-src data:; worker-src blob: data:; form-action 'none'; base-uri 'none'`
    yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>GraphMind</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="graphmind-run">{"info":${inJson(JSON.stringify(info))},"writtenAt":${Date.now()},"version":${JSON.stringify(VERSION)},"envelopes":[
`
    let separator = ''
    for await (const line of ndjson.write(database, run, mask)) {
      yield `${separator}${inJson(String(line).trimEnd())}`
      separator = ',\n'
    }
    yield `]}</script>
<script type="module">${script}</script>
</body>
</html>
`
  },
}

/** No recorded text ends the block that it stands in. */
function inJson(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** In a script the sequence can stand only inside of texts and patterns, where the backslash changes nothing. */
function inScript(code: string): string {
  return code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}
