import fc from 'fast-check'

// What protobufjs takes for OTLP.

export const { value: anyValues } = fc.letrec<{ value: object; pair: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant({}),
    fc.record({ stringValue: fc.string({ unit: 'grapheme', maxLength: 60 }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((whole) => ({ intValue: whole.toString() })),
    fc.integer().map((whole) => ({ intValue: whole.toString() })),
    fc.record({ doubleValue: fc.double() }),
    fc.record({ bytesValue: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) }),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => ({ arrayValue: { values } })),
    fc.array(tie('pair'), { maxLength: 4 }).map((values) => ({ kvlistValue: { values } })),
  ),
  pair: fc.record({ key: fc.oneof(fc.string({ maxLength: 50 }), fc.constant('__proto__')), value: tie('value') }),
}))
export const attributes = fc.array(fc.record({ key: fc.oneof(fc.string({ maxLength: 50 }), fc.constant('__proto__')), value: anyValues }), {
  maxLength: 5,
})
export const times = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
export const counts = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffffffff }))
export const ids = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes))
