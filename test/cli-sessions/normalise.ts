import { stripVTControlCharacters } from 'node:util'

/** Takes out of a transcript what differs from run to run and machine to machine. */
export function normalise(
  text: string,
  names: {
    readonly folder: string
    readonly root: string
    readonly ports: readonly string[]
    readonly ids: readonly (readonly [string, string])[]
  },
): string {
  let shown = stripVTControlCharacters(text).replaceAll(/^.*\r(?=[^\n])/gm, '')
  for (const [id, name] of names.ids) shown = shown.replaceAll(id, name)
  for (const port of names.ports)
    shown = shown.replaceAll(`:${port}`, ':4747').replaceAll(`--port ${port}`, '--port 4747').replaceAll(`"port":${port}`, '"port":4747')
  const same = shown
    .replaceAll(names.folder, '~/work')
    .replaceAll(names.root, '~/graphmind')
    .replaceAll(/\b\d+ (?:s|min|h|d) ago\b/g, '1 min ago')
    .replaceAll(/"(since|pid|ts)":\d+/g, '"$1":1')
    .replaceAll(/\b\d+(?:\.\d+)? (ms|s)\b(?=[^-]|$)/g, '1 $1')
    // Whether these are free is this machine's business.
    .replaceAll(/^. (port 431[78]): .*$/gm, '✓ $1: Free for OTLP.')
    .replaceAll(/Node \d+\.\d+\.\d+/g, 'Node 24')
    .replaceAll(/[ \t]+$/gm, '')
  return same.replaceAll(/^RUN {2}.*\n(?:.+\n)+/gm, aligned)
}

/** A table whose cells were replaced, with its columns in line again. */
function aligned(table: string): string {
  const rows = table.split('\n').map((line) => line.split(/ {2,}/))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
