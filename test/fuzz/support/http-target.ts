import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.ts'

const HANG_MS = 30_000

export type Reply = { readonly status: number } | { readonly failure: 'hang' | 'refused' | 'closed'; readonly message: string }

/** Sends requests as they are, without a client's own ideas of what is valid. */
export class HttpTarget {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
  }

  send({ method, path, headers, body }: FuzzRequest): Promise<Reply> {
    return new Promise((resolve) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          agent: this.#agent,
          headers: { ...headers, 'content-length': body?.byteLength ?? 0 },
        },
        (answer) => {
          answer.resume()
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0 }))
          answer.on('error', (error) => resolve({ failure: 'closed', message: error.message }))
        },
      )
      sent.setTimeout(HANG_MS, () => {
        resolve({ failure: 'hang', message: `no answer in ${HANG_MS / 1000} s` })
        sent.destroy()
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        resolve({ failure: error.code === 'ECONNREFUSED' ? 'refused' : 'closed', message: error.message })
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
