import { get } from 'node:http'

/** Opens a stream of server-sent events; resolves with how to close it, once the target has answered. */
export function sseText(url, heard) {
  return new Promise((resolve, reject) => {
    const request = get(url, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', heard)
      answer.on('error', () => answer.destroy())
      resolve(() => request.destroy())
    })
    request.on('error', reject)
  })
}
