import { fileURLToPath } from 'node:url'

/** The path of a file of this package. The code lies one folder deep: in `src`, in `dist`, or in `bundle`, where all files are in one. */
export function packageFile(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}
