import type { Packing } from '../../import/import-packer.ts'
import type { Console } from '../console.ts'

const WIDTH = 24
const INTERVAL_MS = 100

export interface ProgressLine {
  read(bytes: number): void
  stored(count: number, packing?: Packing): void
  end(): void
}

/** A bar on the terminal that grows with the file; silent elsewhere. `bytes` is undefined where the length is not known. */
export function progressLine(console: Console, file: string, bytes: number | undefined): ProgressLine {
  const draw = console.draw
  if (draw === undefined) return { read: () => undefined, stored: () => undefined, end: () => undefined }
  let readBytes = 0
  let said = '0 stored'
  let last = 0
  const show = () => {
    const now = performance.now()
    if (now - last < INTERVAL_MS) return
    last = now
    draw(`${bar(readBytes, bytes)} ${file}: ${said}`)
  }
  return {
    read(more) {
      readBytes += more
      show()
    },
    stored(count, packing) {
      said = packing === undefined ? `${count} stored` : `${count} stored, ${Math.floor((100 * packing.done) / packing.of)}% packed`
      show()
    },
    end: () => draw(''),
  }
}

function bar(readBytes: number, bytes: number | undefined): string {
  if (bytes === undefined || bytes === 0) return `${Math.floor(readBytes / 1024 / 1024)} MiB`
  const share = Math.min(1, readBytes / bytes)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(share * 100)}%`
}
