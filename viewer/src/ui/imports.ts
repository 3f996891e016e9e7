import { type ImportResult, importFile, NOTHING_YET } from '../link/import-file.ts'
import type { WorkbenchStore } from './workbench.ts'

/** A file that was given to the viewer. */
export interface FileImport {
  readonly id: number
  readonly name: string
  readonly state: 'waiting' | 'reading' | 'done'
  readonly result: ImportResult
}

/** Sends the files to the collector one after the other. */
export async function importFiles(workbench: WorkbenchStore, files: readonly File[]): Promise<void> {
  const first = (workbench.getState().imports.at(-1)?.id ?? 0) + 1
  const change = (id: number, news: Partial<FileImport>) =>
    workbench.setState(({ imports }) => ({ imports: imports.map((each) => (each.id === id ? { ...each, ...news } : each)) }))
  const added = files.map(({ name }, at): FileImport => ({ id: first + at, name, state: 'waiting', result: NOTHING_YET }))
  workbench.setState(({ imports }) => ({ imports: [...imports, ...added] }))
  for (const [at, file] of files.entries()) {
    const id = first + at
    change(id, { state: 'reading' })
    change(id, { state: 'done', result: await importFile(file, (result) => change(id, { result })) })
  }
}

/** Asks for files with the browser's own dialog, and imports them. */
export function chooseFiles(workbench: WorkbenchStore): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => void importFiles(workbench, [...(input.files ?? [])]))
  input.click()
}
