import { execFileSync, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sleep } from './figures.mjs'
import { send } from './http.mjs'

const READY_LIMIT_MS = 120_000
const CLOCK_TICKS = 100

/** Starts a target in a folder, and waits until it answers. `startMs` is from spawn to the first answer below 500. */
export async function start(target, folder) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const { command, args, environment = {} } = target.start({ port, folder })
  const log = openSync(join(folder, 'target.log'), 'a')
  const begun = performance.now()
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment }, stdio: ['ignore', log, log] })
  let ended
  child.on('exit', (code, signal) => {
    ended = code ?? signal
  })
  child.on('error', (error) => {
    ended = error.message
  })
  while (!(await answers(target.ready(base)))) {
    if (ended !== undefined)
      throw new Error(`${target.name} ended before it was ready (${ended}): ${readFileSync(join(folder, 'target.log'))}`)
    if (performance.now() - begun > READY_LIMIT_MS) {
      child.kill('SIGKILL')
      throw new Error(`${target.name} was not ready in two minutes.`)
    }
    await sleep(4)
  }
  return { child, base, pid: child.pid, startMs: performance.now() - begun }
}

async function answers(url) {
  try {
    return (await send('GET', url)).status < 500
  } catch {
    // Nobody listens yet.
    return false
  }
}

/** Ends a target and what it started. */
export async function stop({ child, pid }, signal = 'SIGTERM') {
  const gone = new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', resolve)
  })
  const family = processTree(pid)
  child.kill(signal)
  await Promise.race([gone, sleep(8000)])
  for (const member of family) {
    try {
      process.kill(member, 'SIGKILL')
    } catch {
      // Gone already, as it should be.
    }
  }
  await sleep(100)
}

/** Resident bytes and CPU seconds of a process and its children. Linux only: elsewhere both are zero. */
export function usage(pid) {
  let residentBytes = 0
  let cpuSeconds = 0
  for (const member of processTree(pid)) {
    const status = readProc(member, 'status')
    residentBytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
    const fields = statFields(member)
    cpuSeconds += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / CLOCK_TICKS
  }
  return { residentBytes, cpuSeconds }
}

function processTree(pid) {
  const children = new Map()
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statFields(name)[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const family = []
  for (const waiting = [pid]; waiting.length > 0; ) {
    const member = waiting.pop()
    family.push(member)
    waiting.push(...(children.get(member) ?? []))
  }
  return family
}

/** The fields of /proc/PID/stat behind the program's name, which may hold blanks. */
function statFields(pid) {
  const text = readProc(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process ended in between.
    return ''
  }
}

export const folderBytes = (folder) => (existsSync(folder) ? Number(execFileSync('du', ['-sb', folder]).toString().split('\t')[0]) : 0)

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
