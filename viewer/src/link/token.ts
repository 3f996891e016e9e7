const KEY = 'graphmind-token'

/** What the server asks for, if this page was ever opened with it: `#token=` in the link that `graphmind serve` prints. Kept for this tab, and taken out of the address. */
export function readToken(page: Pick<Window, 'location' | 'history' | 'sessionStorage'>): string | undefined {
  const given = new URLSearchParams(page.location.hash.slice(1)).get('token')
  if (given !== null) {
    page.sessionStorage.setItem(KEY, given)
    page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search)
  }
  return page.sessionStorage.getItem(KEY) ?? undefined
}

/** True when there was one to forget. */
export function forgetToken(page: Pick<Window, 'location' | 'history' | 'sessionStorage'>): boolean {
  const had = readToken(page) !== undefined
  page.sessionStorage.removeItem(KEY)
  return had
}

/** A browser's WebSocket can't send headers: the token goes as a second subprotocol. */
export function socketProtocols(token: string | undefined): string[] {
  return token === undefined ? [] : ['graphmind', `graphmind.token.${token}`]
}

/** `fetch` of this server's API, with the token. */
export function fetchApi(path: string, init?: RequestInit): Promise<Response> {
  const token = readToken(window)
  if (token === undefined) return fetch(path, init)
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetch(path, { ...init, headers })
}
