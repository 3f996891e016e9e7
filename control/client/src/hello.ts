import { CAPABILITIES, createEnvelope, EXTRA_CAPABILITIES, PROTOCOL_VERSION, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import type { Settings } from './options.ts'
import { activeSwitches } from './switches.ts'
import { CLIENT_VERSION } from './version.ts'

/** The first frame of a connection. Its seq counts connections: hello belongs to no run, so it takes no number from one. */
export function helloFrame(settings: Settings, senderId: string, connection: number, sessionToken: string | undefined): string {
  const hide = activeSwitches(settings.hide)
  const payload = {
    versions: { protocol: PROTOCOL_VERSION, client: CLIENT_VERSION },
    capabilities: capabilitiesOf(settings),
    app: settings.appName,
    sdk: settings.sdk,
    senderId,
    ...(sessionToken === undefined ? {} : { resumeToken: sessionToken }),
    ...(settings.spans === undefined ? {} : { spans: settings.spans }),
    ...(hide.length === 0 ? {} : { hide }),
    ...(settings.unwatchedHoldMs === undefined ? {} : { unwatchedHoldMs: settings.unwatchedHoldMs }),
  }
  return JSON.stringify(createEnvelope('hello', payload, { runId: WILDCARD_RUN_ID, seq: connection, ts: Date.now() }))
}

function capabilitiesOf({ allowEdits, spans }: Settings): string[] {
  const cannot = new Set<string>()
  if (!allowEdits) cannot.add('edit-input')
  // Several programs share a trace, so none of them may claim it for itself.
  if (spans === 'otlp') cannot.add('run-claim')
  return [...CAPABILITIES, ...EXTRA_CAPABILITIES].filter((capability) => !cannot.has(capability))
}

/** Where a person opens the debugger that listens at this address: same host and port, by HTTP. */
export function viewerAddress(url: string): string {
  try {
    const address = new URL(url)
    return `${address.protocol === 'wss:' ? 'https' : 'http'}://${address.host}`
  } catch {
    // An address that is none was reported when it was dialled; here it is only shown.
    return url
  }
}
