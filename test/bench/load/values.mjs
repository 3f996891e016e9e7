// Attributes are [key, value]; value: string | boolean | bigint (int64) | number (double) | array.
export const int = (n) => BigInt(Math.trunc(n))
export const json = (x) => JSON.stringify(x)
