/**
 * A column of a shape: text is the name of a field that holds what went through the call, which lies in `contents`; one item names a field
 * whose value is in the row; two items are a field and the value that it has in all rows; with three, the value is always that of the field
 * before it which is named last.
 */
export type SheetColumn =
  | string
  | readonly [name: string]
  | readonly [name: string, value: unknown]
  | readonly [name: string, value: null, sameAs: string]

/** Events of one type with the same fields in the same order. Without columns the row holds the payload whole. */
export type SheetShape = readonly [type: string, columns: readonly SheetColumn[]] | readonly [type: string]

/** An event: its shape, its `ts` less that of the sheet, and the values of its row's columns. */
export type SheetRow = readonly [shape: number, ts: number, ...values: unknown[]]

/** Stored events that follow each other without a hole in `seq`, said in few words: what many have in common stands once. */
export interface Sheet {
  /** Of the first event. */
  readonly seq: number
  readonly ts: number
  readonly shapes: readonly SheetShape[]
  readonly rows: readonly SheetRow[]
  /** What went through the calls, in the order of rows and columns. Absent when it was not asked for. */
  readonly contents?: readonly unknown[]
}
