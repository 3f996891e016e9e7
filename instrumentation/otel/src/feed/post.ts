import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { untraced } from '../untraced.ts'

/** How a request ended: `retry` when sending the same again may work, `refused` when it never will. */
export type PostOutcome = 'sent' | 'retry' | 'refused'

const CONTENT_TYPE = 'application/x-protobuf'
const REQUEST_MS = 5000
const MAX_ANSWER_BYTES = 64 * 1024

/** A keep-alive line to the collector that neither keeps the process alive nor shows up in the app's traces. */
export class CollectorLine {
  readonly #agents = new Map<string, HttpAgent | HttpsAgent>()
  readonly #headers: Readonly<Record<string, string>>

  /** `token` is the collector's, where it asks for one. */
  constructor(token: string | undefined) {
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  /** Posts OTLP protobuf. Never rejects. */
  async post(url: string, body: Uint8Array): Promise<PostOutcome> {
    const answer = await this.#send(url, 'POST', REQUEST_MS, body)
    if (answer === undefined || answer.status === 429 || answer.status >= 500) return 'retry'
    return answer.status < 300 ? 'sent' : 'refused'
  }

  /** Gets a JSON document; undefined when there is none within `limitMs`. Never rejects. */
  async getJson(url: string, limitMs: number): Promise<unknown> {
    const answer = await this.#send(url, 'GET', limitMs)
    if (answer === undefined || answer.status !== 200) return undefined
    try {
      const document: unknown = JSON.parse(answer.text)
      return document
    } catch {
      return undefined // Somebody else answers there.
    }
  }

  /** Whether `postNow` has a connection to write to. */
  isOpen(url: string): boolean {
    return this.#openSocket(url) !== undefined
  }

  /**
   * Hands a request to the system at once, over a connection that is open: what a process can still say while it ends. It goes behind a
   * request that is under way, and its answer is read by nobody.
   */
  postNow(url: string, body: Uint8Array): void {
    const { host, pathname } = new URL(url)
    const fields = { host, 'content-type': CONTENT_TYPE, 'content-length': body.byteLength, connection: 'close', ...this.#headers }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    this.#openSocket(url)?.write(Buffer.concat([Buffer.from(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n`), body]))
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  #send(url: string, method: 'GET' | 'POST', limitMs: number, body?: Uint8Array): Promise<{ status: number; text: string } | undefined> {
    return untraced(
      () =>
        new Promise((resolve) => {
          const secure = url.startsWith('https:')
          const request = (secure ? httpsRequest : httpRequest)(
            url,
            {
              method,
              agent: this.#agent(secure),
              timeout: limitMs,
              headers: {
                ...this.#headers,
                ...(body === undefined ? {} : { 'content-type': CONTENT_TYPE, 'content-length': body.byteLength }),
              },
            },
            (response) => readAnswer(response, resolve),
          )
          request.on('socket', (socket: Socket) => socket.unref())
          request.on('timeout', () => request.destroy())
          request.on('error', () => resolve(undefined))
          request.on('close', () => resolve(undefined))
          request.end(body)
        }),
    )
  }

  #openSocket(url: string): Socket | undefined {
    const { freeSockets, sockets } = this.#agent(url.startsWith('https:'))
    return [...Object.values(freeSockets), ...Object.values(sockets)].flatMap((list) => list ?? [])[0]
  }

  #agent(secure: boolean): HttpAgent | HttpsAgent {
    const scheme = secure ? 'https' : 'http'
    const known = this.#agents.get(scheme)
    if (known !== undefined) return known
    const options = { keepAlive: true, maxSockets: 2, maxFreeSockets: 1 }
    const agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
    this.#agents.set(scheme, agent)
    return agent
  }
}

function readAnswer(response: IncomingMessage, resolve: (answer: { status: number; text: string }) => void): void {
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    if (text.length < MAX_ANSWER_BYTES) text += chunk
  })
  response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
}
