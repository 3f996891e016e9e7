/** One step of the database's shape. Numbers grow by one; a released step never changes. */
export interface Migration {
  readonly number: number
  readonly statements: readonly string[]
}
