/** Reads a remembered preference; a browser that forbids storage simply remembers nothing. */
export function recall<Value>(key: string, read: (stored: string) => Value | undefined, otherwise: Value): Value {
  const stored = storage()?.getItem(`gm:${key}`)
  return stored === null || stored === undefined ? otherwise : (read(stored) ?? otherwise)
}

export function remember(key: string, value: string): void {
  keep(storage(), `gm:${key}`, value)
}

/** Writes into a storage; one that is full costs only what would have come back after a reload. */
export function keep(place: Storage | undefined, key: string, value: string): void {
  try {
    place?.setItem(key, value)
  } catch (error) {
    console.info(`${key} could not be remembered:`, error)
  }
}

export function forget(key: string): void {
  storage()?.removeItem(`gm:${key}`)
}

/** localStorage where the browser gives it, else undefined. */
export function storage(): Storage | undefined {
  return given(() => window.localStorage)
}

/** What lasts as long as this tab, over reloads. */
export function storageOfTab(): Storage | undefined {
  return given(() => window.sessionStorage)
}

function given(storage: () => Storage): Storage | undefined {
  try {
    return storage()
  } catch (error) {
    console.info('The browser gives no storage, so nothing is remembered:', error)
    return undefined
  }
}
