import { encodeJson } from './encode-json.mjs'
import { encodeProtobuf } from './encode-protobuf.mjs'

export const encode = { json: encodeJson, protobuf: encodeProtobuf }
