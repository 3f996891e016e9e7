/** The file that a run is written to when nobody names one. Run ids are any text, also a path. */
export function exportName(runId: string, extension: string): string {
  return `graphmind-run-${runId.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 80)}.${extension}`
}
