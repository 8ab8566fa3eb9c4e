/** Returns the name of a command, which is its first key: `find`, `insert` … */
export function commandKind(command: Readonly<Record<string, unknown>>): string {
  for (const key in command) return key
  return ''
}
