import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testCollector } from '../../testing/collector.ts'
import { runCommandLine } from '../../testing/command-line.ts'
import { VERSION } from '../../version.ts'
import type { Check } from './check.ts'
import { checkDatabase } from './database.ts'
import { checkExporter } from './exporter.ts'
import { checkSettings } from './graphmind-settings.ts'
import { lookAt, lookAtPackages } from './look.ts'
import { checkInstalled, checkNodeOptions } from './node-options.ts'
import { checkNode } from './node-version.ts'
import { checkCollector, checkDefaultPort, type Listener } from './ports.ts'

const HERE = 'http://127.0.0.1:4747'
const cleanups: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-doctor-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const statuses = (checks: readonly Check[]) => checks.map(({ status }) => status)

describe('the exporter settings of the shell', () => {
  it.each<[Record<string, string>, Check['status'], string]>([
    [{}, 'ok', 'in nobody’s way'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4747' }, 'ok', 'leads to'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, 'ok', 'leads to'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://api.vendor.test' }, 'note', 'leads past GraphMind'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4747' }, 'problem', 'is no http address'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${HERE}/v1/traces` }, 'ok', 'leads to'],
    [{ OTEL_SDK_DISABLED: 'true' }, 'problem', 'turns OpenTelemetry off'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'problem', 'sends no spans over OTLP'],
    [{ OTEL_TRACES_EXPORTER: 'console,otlp' }, 'ok', 'in nobody’s way'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http' }, 'problem', 'is no OTLP protocol'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'ok', 'in nobody’s way'],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 'problem', 'records nothing'],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }, 'note', '(0.1) may leave runs out'],
    [{ OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4096' }, 'note', 'cuts prompts'],
    [{ OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '100000' }, 'ok', 'in nobody’s way'],
    [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'NO_CONTENT' }, 'note', 'leaves prompts and answers out'],
    [{ TRACELOOP_TRACE_CONTENT: 'false' }, 'note', 'leaves prompts and answers out'],
  ])('%j: %s', (env, status, words) => {
    const [check, ...others] = checkExporter(env, HERE)
    expect(others).toEqual([])
    expect(check).toMatchObject({ status, message: expect.stringContaining(words) })
    if (status !== 'ok') expect(check?.fix).toBeTruthy()
  })

  it('knows a base endpoint from a traces endpoint', () => {
    const base = checkExporter({ OTEL_EXPORTER_OTLP_ENDPOINT: `${HERE}/v1/traces` }, HERE)
    expect(base.find(({ status }) => status === 'problem')?.message).toContain('is a base')
    const traces = checkExporter({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: HERE }, HERE)
    expect(traces.find(({ status }) => status === 'problem')?.message).toContain('is used as it is')
  })
})

describe('GraphMind’s own settings', () => {
  it.each<[Record<string, string>, Check['status'], string]>([
    [{}, 'ok', 'in nobody’s way'],
    [{ GRAPHMIND_DISABLED: '1' }, 'problem', 'debugging off'],
    [{ NODE_ENV: 'production' }, 'problem', 'do nothing'],
    [{ NODE_ENV: 'production', GRAPHMIND: '1' }, 'ok', 'in nobody’s way'],
    [{ GRAPHMIND_URL: '127.0.0.1' }, 'problem', 'is no address'],
    [{ GRAPHMIND_HIDE_INPUTS: '1' }, 'note', 'hideInputs'],
    [{ GRAPHMIND_HIDE_INPUT: '1' }, 'note', 'Nothing reads GRAPHMIND_HIDE_INPUT'],
  ])('%j: %s', (env, status, words) => {
    expect(checkSettings(env)).toEqual([expect.objectContaining({ status, message: expect.stringContaining(words) })])
  })
})

describe('versions and packages', () => {
  it.each([
    ['22.15.0', 'ok'],
    ['22.14.9', 'problem'],
    ['20.19.0', 'problem'],
    ['26.0.0', 'ok'],
  ])('Node %s: %s', (version, status) => expect(checkNode(version).status).toBe(status))

  const install = (path: string, version: string) => {
    mkdirSync(join(folder, 'node_modules', path), { recursive: true })
    writeFileSync(join(folder, 'node_modules', path, 'package.json'), JSON.stringify({ version }))
  }

  it('finds the preload that NODE_OPTIONS names, or says that every node would fail', () => {
    const options = '--import @graphmind-ai/otel/register'
    expect(checkNodeOptions(options, lookAtPackages(folder)).status).toBe('problem')
    install('@graphmind-ai/otel', VERSION)
    expect(checkNodeOptions(options, lookAtPackages(folder)).status).toBe('ok')
    expect(checkNodeOptions(undefined, lookAtPackages(folder)).status).toBe('ok')
  })

  it.each(['vendor/node_modules', '@scope/vendor/node_modules', '.pnpm/@opentelemetry+api@1.10.0/node_modules'])(
    'sees a second version of the OpenTelemetry API in %s',
    (carrier) => {
      install('@opentelemetry/api', '1.9.1')
      expect(checkInstalled(lookAtPackages(folder), VERSION)).toEqual([])
      install(`${carrier}/@opentelemetry/api`, '1.10.0')
      const [check] = checkInstalled(lookAtPackages(folder), VERSION)
      expect(check).toMatchObject({ status: 'note', message: expect.stringContaining('1.10.0 in ') })
    },
  )

  it('tells packages of another version than the command', () => {
    install('@graphmind-ai/otel', '0.1.0')
    expect(statuses(checkInstalled(lookAtPackages(folder), VERSION))).toEqual(['note'])
  })
})

describe('ports', () => {
  const other: Listener = { kind: 'other' }
  const nobody: Listener = { kind: 'nobody' }
  const ours: Listener = { kind: 'graphmind', version: VERSION }

  it('says who is at the collector’s', () => {
    const at = (listener: Listener) => checkCollector(HERE, listener, VERSION).status
    expect([ours, { ...ours, version: '0.0.1' }, nobody, other].map(at)).toEqual(['ok', 'note', 'problem', 'problem'])
  })

  it('says who is at those of OTLP', () => {
    expect(checkDefaultPort(4318, ours, true).status).toBe('ok')
    expect(checkDefaultPort(4318, nobody, true).status).toBe('note')
    expect(checkDefaultPort(4317, nobody, false).status).toBe('ok')
    expect(checkDefaultPort(4317, other, true).fix).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  })

  it('tells a collector from another server and from nobody', async () => {
    const collector = await testCollector()
    cleanups.push(() => collector.stop())
    expect(await lookAt(collector.url)).toEqual(ours)
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await lookAt(address)).toEqual(other)
    server.close()
    await once(server, 'close')
    expect(await lookAt(address)).toEqual(nobody)
  })
})

describe('the database', () => {
  it('is fine when it is there or can be made', () => {
    const path = join(folder, 'new', 'graphmind.db')
    expect(checkDatabase(path)).toMatchObject({ status: 'ok', message: expect.stringContaining('first start') })
    mkdirSync(dirname(path))
    new DatabaseSync(path).close()
    chmodSync(path, 0o600)
    expect(checkDatabase(path).status).toBe('ok')
    chmodSync(path, 0o644)
    expect(checkDatabase(path)).toMatchObject({ status: 'note', fix: expect.stringContaining('chmod 600') })
  })

  it('is a problem when it is something else, or of a newer GraphMind', () => {
    const path = join(folder, 'other.db')
    writeFileSync(path, 'no database at all, and long enough to be looked at by SQLite as a header')
    expect(checkDatabase(path)).toMatchObject({ status: 'problem', message: expect.stringContaining('can’t be read') })
    const newer = join(folder, 'newer.db')
    const database = new DatabaseSync(newer)
    database.exec('PRAGMA user_version = 9999')
    database.close()
    expect(checkDatabase(newer)).toMatchObject({ status: 'problem', message: expect.stringContaining('newer GraphMind') })
  })
})

describe('graphmind doctor', () => {
  const db = () => join(folder, 'graphmind.db')

  it('ends with 0 when a collector answers, and with 1 when none does', async () => {
    const collector = await testCollector()
    cleanups.push(() => collector.stop())
    const port = String(collector.port)
    const well = await runCommandLine(['doctor', '--port', port, '--db', db()])
    expect(well.out).toContain(`✓ collector: GraphMind ${VERSION} answers`)
    expect(well.exitCode).toBe(0)
    await collector.stop()
    const gone = await runCommandLine(['doctor', '--port', port, '--db', db(), '--json'])
    expect(gone.exitCode).toBe(1)
    const { ok, checks } = JSON.parse(gone.out)
    expect(ok).toBe(false)
    expect(checks.find((check: Check) => check.name === 'collector')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('Start'),
    })
  })

  it('looks for the collector where programs do, and says when its token is missing', async () => {
    const token = 'a-token-of-this-test'
    const collector = await testCollector({ token })
    cleanups.push(() => collector.stop())
    const environment = { GRAPHMIND_URL: `ws://127.0.0.1:${collector.port}/ingest` }
    const without = await runCommandLine(['doctor', '--db', db()], environment)
    expect(without.out).toContain('✗ token:')
    expect(without.err).toBe('graphmind: 1 thing keeps programs from being debugged; see the lines with ✗.')
    expect((await runCommandLine(['doctor', '--db', db()], { ...environment, GRAPHMIND_TOKEN: token })).exitCode).toBe(0)
  })
})
