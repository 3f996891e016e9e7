/** Protocol MAJOR version: the `gm` of every envelope. Bumped only by an incompatible change (contract, "Versioning"). */
export const PROTOCOL_VERSION = 1
