/** Returns the message of a thrown value, which may be something other than an `Error`. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)
