/** Fields of a node event that say who and where an execution is: a later event corrects them, none takes them back, hiding keeps them. */
export const IDENTITY_FIELDS: readonly string[] = [
  'nodeId',
  'parentId',
  'kind',
  'name',
  'instanceId',
  'parentInstanceId',
  'aliasOf',
  'traceId',
  'spanId',
  'derived',
  'startTimeUnixNano',
]
