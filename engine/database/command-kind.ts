/** `find`, `insert` …: the name of a command is its first key. */
export function commandKind(command: Readonly<Record<string, unknown>>): string {
  for (const key in command) return key
  return ''
}
