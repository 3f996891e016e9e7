import type { Readable, Writable } from 'node:stream'
import type { Environment } from '@graphmind-ai/client'
import { Gates } from '../gates.ts'
import { holdNotices } from '../hold-notices.ts'
import { openProxySession, type ProxySession } from '../proxy-session.ts'
import { type Say, sayingTo } from '../say.ts'
import { type Server, startServer } from './child.ts'
import { Conversation, other } from './conversation.ts'
import { describeExit, type Exit, exitCodeOf } from './exit.ts'
import { FrameSplitter, type Piece } from './frames.ts'
import { hangUpWatch } from './hang-up.ts'
import { type Reading, readFrame } from './json-rpc.ts'
import type { Sender } from './methods.ts'
import { pump } from './pump.ts'
import { type CommandLine, Recorder } from './recorder.ts'
import { type Sink, sinkOf } from './sink.ts'
import { StderrLog } from './stderr-log.ts'
import { traceLine } from './trace-line.ts'

/** How long the first frame waits for the debugger, ms. */
const WAIT_FOR_ATTACH_MS = 3000
/** How long the output of a server that was asked to stop may still come: a grandchild can keep the pipe open for ever. */
const DRAIN_MS = 500
/** Lines of the server's log that are printed, and kept on its node, when it dies early. */
const PRINTED_LINES = 40
const KEPT_LINES = 200

export interface McpProxyOptions {
  readonly trace: boolean
  readonly waitForAttach: boolean
  readonly inheritStderr: boolean
  readonly maxFrameBytes: number
  /** The port GraphMind is at; GRAPHMIND_URL when undefined. */
  readonly port: number | undefined
}

/** The proxy's own stdio, and what stops it. */
export interface McpProxyPorts {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly environment: Environment
  readonly interrupted: Promise<void>
}

/** Runs an MCP server behind the proxy until it is gone. Answers the exit code; never rejects. */
export async function runMcpProxy(commandLine: CommandLine, options: McpProxyOptions, ports: McpProxyPorts): Promise<number> {
  const nowMs = () => performance.now()
  const { environment, stderr } = ports
  const say = sayingTo((line) => stderr.write(`${line}\n`))
  const proxySession = openProxySession({ appName: 'mcp-proxy', port: options.port, environment, say })
  const { session, viewer, stop } = proxySession
  const recorder = new Recorder(session, commandLine, nowMs)
  const server = startServer(commandLine, { environment, inheritStderr: options.inheritStderr })
  const exit =
    'kind' in server ? server : await new McpProxy(server, recorder, { ...proxySession, say, viewer, nowMs }, options, ports).run()
  if (exit.kind === 'not-started') {
    const message = `The server ${describeExit(exit)}`
    say(message)
    recorder.ended([], { status: 'error', error: { name: 'SpawnError', message } })
  }
  await stop()
  ports.stdin.destroy()
  return exitCodeOf(exit)
}

interface Shared extends ProxySession {
  readonly say: Say
  readonly nowMs: () => number
}

/** A piece with what it says; undefined when it is not looked at. */
interface Line {
  readonly bytes: Buffer
  readonly reading: Reading | undefined
}

/** One session: the server's process, the bytes both ways, and what ends it. */
class McpProxy {
  readonly #server: Server
  readonly #recorder: Recorder
  readonly #shared: Shared
  readonly #options: McpProxyOptions
  readonly #ports: McpProxyPorts
  readonly #gates: Gates
  readonly #sinks: { readonly [To in Sender]: Sink }
  readonly #splitters: { readonly [From in Sender]: FrameSplitter }
  readonly #conversation: Conversation
  readonly #log: StderrLog
  #isObserving: boolean
  #isFirstFrame = true
  #isWaiting = false
  #hasHungUp = false
  #wasAskedToStop = false

  constructor(server: Server, recorder: Recorder, shared: Shared, options: McpProxyOptions, ports: McpProxyPorts) {
    const { session, say, viewer, nowMs } = shared
    this.#server = server
    this.#recorder = recorder
    this.#shared = shared
    this.#options = options
    this.#ports = ports
    this.#gates = new Gates({ session, holding: holdNotices(say, viewer, nowMs), nowMs })
    this.#sinks = { client: sinkOf(ports.stdout), server: sinkOf(server.stdin) }
    this.#splitters = { client: new FrameSplitter(options.maxFrameBytes), server: new FrameSplitter(options.maxFrameBytes) }
    const write = (to: Sender, line: Buffer) => this.#sinks[to].write(line)
    this.#conversation = new Conversation({ session, gates: this.#gates, recorder, nowMs, write })
    this.#log = new StderrLog((text) => recorder.logged(text))
    this.#isObserving = session.enabled
    // Nobody would see what is read out of the frames.
    if (!session.enabled && !options.trace) for (const splitter of Object.values(this.#splitters)) splitter.passThrough()
  }

  /** Relays until the server is gone, and ends the run. */
  async run(): Promise<Exit> {
    const { stdin, stderr, interrupted } = this.#ports
    const watch = hangUpWatch({ work: () => this.#work(), stopServer: this.#server.stop })
    void interrupted.then(() => {
      this.#wasAskedToStop = true
      this.#server.stop()
    })
    this.#server.stderr?.on('data', (chunk: Buffer) => {
      stderr.write(chunk)
      this.#log.push(chunk)
    })
    const hungUp = () => {
      this.#hasHungUp = true
      watch.start()
    }
    void pump(stdin, this.#splitters.client, { ...this.#lane('client'), ended: hungUp }).then(() => this.#sinks.server.end())
    const relayed = pump(this.#server.stdout, this.#splitters.server, { ...this.#lane('server'), ended: () => undefined })
    const exit = await this.#server.exited
    watch.stop()
    this.#conversation.serverGone()
    if (exit.kind === 'not-started') return exit
    await (this.#wasAskedToStop ? Promise.race([relayed, after(DRAIN_MS)]) : relayed)
    this.#log.end()
    if (this.#isObserving) this.#conclude(exit)
    return exit
  }

  /** What is done with the pieces of one side, when they arrive and when it is their turn. */
  #lane(sender: Sender) {
    return {
      arrived: ({ kind, bytes }: Piece): Line => {
        const reading = kind === 'raw' ? undefined : readFrame(bytes)
        if (reading !== undefined) this.#conversation.ahead(sender, reading)
        return { bytes, reading }
      },
      take: (line: Line) => this.#take(sender, line),
    }
  }

  async #take(sender: Sender, { bytes, reading }: Line): Promise<void> {
    if (reading === undefined) {
      this.#stopObserving(sender)
      return this.#sinks[other(sender)].write(bytes)
    }
    if (this.#isFirstFrame && this.#options.waitForAttach) {
      this.#isWaiting = true
      await this.#shared.session.ready({ timeoutMs: WAIT_FOR_ATTACH_MS })
      this.#isWaiting = false
    }
    this.#isFirstFrame = false
    if (this.#options.trace) this.#shared.say(traceLine(sender, reading, bytes.length))
    return this.#conversation.take(sender, bytes, reading)
  }

  #work(): 'open' | 'none' | 'unknown' {
    // What the client sent is still on its way, so the server owes its answer.
    if (this.#isWaiting) return 'open'
    if (!this.#isObserving) return 'unknown'
    return this.#conversation.open.length > 0 || this.#shared.session.stats().heldGates > 0 ? 'open' : 'none'
  }

  /** A frame is too large to be put together: a half-relayed frame allows no answer of ours in between, so holding ends with it. */
  #stopObserving(sender: Sender): void {
    this.#conversation.stopObserving()
    if (!this.#isObserving) return
    this.#isObserving = false
    const { say, stop } = this.#shared
    say(`a frame of the ${sender} is larger than ${this.#options.maxFrameBytes} bytes: relaying goes on, the graph ends here.`)
    this.#recorder.ended(this.#conversation.open, { status: 'ok' })
    void stop()
  }

  #conclude(exit: Exit): void {
    const { session, say } = this.#shared
    const message = `The server ${describeExit(exit)}`
    const unanswered = { name: 'McpServerExited', message: `${message} before it answered.` }
    const open = this.#conversation.open
    if (this.#hasHungUp || this.#wasAskedToStop) {
      this.#recorder.ended(open, { status: this.#gates.aborted.has(this.#recorder.runId) ? 'aborted' : 'ok', unanswered })
      return
    }
    const early = `${message} while the client was still connected.`
    say([early, ...this.#log.lastLines(PRINTED_LINES).map((line) => `  | ${line}`)].join('\n'))
    const quoted = session.hide.hideOutputs ? [] : this.#log.lastLines(KEPT_LINES)
    this.#recorder.ended(open, {
      status: 'error',
      error: { name: 'McpServerExitedEarly', message: [early, ...quoted].join('\n') },
      unanswered,
    })
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
