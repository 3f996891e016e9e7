/** The reader's own keys (WCAG 2.1.4): letters can be switched off as a whole, and each command can be given another key. */
export interface KeySettings {
  /** Whether a letter or sign by itself is a command. */
  readonly letters: boolean
  /** The key chosen for a command, by its id; an empty text takes it away. */
  readonly own: Readonly<Record<string, string>>
}

export const DEFAULT_KEYS: KeySettings = { letters: true, own: {} }

/** What a command has without settings. */
interface Keyed {
  readonly id: string
  readonly keys: readonly string[]
}

/** The keys that run a command under these settings, such as `c`, `F8`, `Alt+ArrowUp` or `g r`. */
export function keysFor(command: Keyed, { letters, own }: KeySettings): readonly string[] {
  const chosen = Object.hasOwn(own, command.id) ? own[command.id] : undefined
  const keys = chosen === undefined ? command.keys : chosen === '' ? [] : [chosen]
  return letters ? keys : keys.filter((key) => !isLetter(key))
}

/** Whether a press is a single character that could be part of a word: with Ctrl, ⌘ or Alt it is not, nor is a function key. */
export function isLetter(key: string): boolean {
  return key.split(' ').some((press) => /^(?:Shift\+)?.$/u.test(press))
}

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↵',
  Delete: 'Del',
  '-': '−',
}

/** A key as people read it: `⇧F8`, `G then R`, `Ctrl K`, on a Mac `⌘K`. */
export function shownKey(key: string, isMac = isOnMac()): string {
  return key
    .split(' ')
    .map((press) => shownPress(press, isMac))
    .join(' then ')
}

function isOnMac(): boolean {
  return /^(?:Mac|iP)/.test(navigator.platform)
}

function shownPress(press: string, isMac: boolean): string {
  const [, modifiers = '', name = press] = /^((?:(?:Shift|Alt|Mod)\+)*)(.+)$/u.exec(press) ?? []
  const shift = modifiers.includes('Shift+') ? '⇧' : ''
  const alt = modifiers.includes('Alt+') ? '⌥' : ''
  const main = SIGNS[name] ?? (name.length === 1 ? name.toUpperCase() : name)
  return `${modifiers.includes('Mod+') && !isMac ? 'Ctrl ' : ''}${alt}${shift}${modifiers.includes('Mod+') && isMac ? '⌘' : ''}${main}`
}

/** What of a key event makes up a press. */
export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The text of a press; undefined for a modifier alone and for keys that have a meaning everywhere. */
export function pressOf({ key, shiftKey, altKey, ctrlKey, metaKey }: PressedKey): string | undefined {
  if (FIXED.has(key)) return undefined
  const name = key.length === 1 ? key.toLowerCase() : key
  // For a sign the layout decides which modifiers it takes.
  const sign = key.length === 1 && !/[a-z]/i.test(key)
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shiftKey && !sign ? 'Shift+' : ''}${altKey && !sign ? 'Alt+' : ''}${name}`
}

const FIXED: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'Tab', 'Enter', 'Escape', ' ', 'Dead'])

/** Reads remembered settings; what it doesn't understand is left out. */
export function readKeySettings(text: string): KeySettings | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const own = 'own' in value && typeof value.own === 'object' && value.own !== null ? Object.entries(value.own) : []
  return {
    letters: !('letters' in value && value.letters === false),
    own: Object.fromEntries(own.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length < 40)),
  }
}
