import { Agent, request } from 'node:http'

const TIMEOUT_MS = 120_000
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request to the end of its answer; the same keep-alive connections for every target. */
export function send(method, url, { headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: body ? { ...headers, 'content-length': body.length } : headers }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer in two minutes')))
    sent.end(body)
  })
}

/** GET as JSON; `json` is null for any status but 200. */
export async function getJson(url) {
  const { status, body } = await send('GET', url)
  return { status, json: status === 200 ? JSON.parse(body) : null, bytes: body.length }
}

export const closeConnections = () => agent.destroy()
