export type { Bus, ChannelEvent, Peer, RunStore, SessionListener, StoredEvent } from './ports.ts'
