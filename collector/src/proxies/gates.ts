import { type GateDecision, type GateNode, type GateOptions, PASS, type Session } from '@graphmind-ai/client'
import type { PausePoint } from '@graphmind-ai/schema'
import type { Notice } from './hold-notices.ts'

/** What a gate said, and how long the call had waited for it, ms. */
export interface GateAnswer {
  readonly decision: GateDecision
  readonly heldMs: number
}

export interface GateRequest extends Omit<GateOptions, 'onHold' | 'runId'> {
  readonly runId: string
  /** The call in a person's words, for the lines about a hold. */
  readonly label: string
}

export interface GatePorts {
  readonly session: Session
  readonly holding: (call: string, point: PausePoint) => Notice
  readonly nowMs: () => number
}

/** Every call of a proxy on its way through the session's gates. */
export class Gates {
  readonly #ports: GatePorts
  /** The runs in which a call was aborted. */
  readonly aborted = new Set<string>()

  constructor(ports: GatePorts) {
    this.#ports = ports
  }

  /**
   * Asks whether a call goes on. Undefined when it passes, told at once so that traffic keeps its order; else a promise, which never
   * rejects. An abort is about this call alone: the conversation goes on, so the run's later gates are not answered with it.
   */
  ask(point: PausePoint, node: GateNode, { label, runId, ...options }: GateRequest): Promise<GateAnswer> | undefined {
    const { session, holding, nowMs } = this.#ports
    let notice: Notice | undefined
    let since = 0
    const onHold = () => {
      notice = holding(label, point)
      since = nowMs()
    }
    const asked = session.gate(point, node, { ...options, runId, onHold })
    if (asked === PASS) return undefined
    return asked.then((decision) => {
      notice?.ended(session.attached ? decision.action : `${decision.action}, as GraphMind is gone`)
      if (decision.action === 'abort') {
        session.endRun(runId)
        this.aborted.add(runId)
      }
      return { decision, heldMs: notice === undefined ? 0 : nowMs() - since }
    })
  }
}
