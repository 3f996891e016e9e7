import type { Peer } from '../ports.ts'

const LOOK_AGAIN_MS = 25

/** Resolves when the peer's socket holds at most `bytes`, or when it is no longer wanted. A Peer has no event for it, so it is looked at. */
export async function drained(peer: Peer, bytes: number, isWanted: () => boolean): Promise<void> {
  while (isWanted() && peer.bufferedBytes > bytes) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_AGAIN_MS).unref()
    })
  }
}
