interface Known {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The names of fields that something is made of, to be found among bytes without making text of every name that comes. */
export class FieldNames {
  readonly #byLength: Known[][] = []

  constructor(names: readonly string[]) {
    for (const name of names) {
      const bytes = Buffer.from(name)
      this.#byLength[bytes.byteLength] ??= []
      this.#byLength[bytes.byteLength]?.push({ name, bytes })
    }
  }

  find(text: Uint8Array, from: number, end: number): string | undefined {
    const candidates = this.#byLength[end - from]
    if (candidates !== undefined) for (const { name, bytes } of candidates) if (isAt(text, from, bytes)) return name
    return undefined
  }
}

function isAt(text: Uint8Array, from: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) if (text[from + index] !== bytes[index]) return false
  return true
}
