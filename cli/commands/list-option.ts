/** Parses a repeatable option whose value is a comma-separated list of names. */
export const listOption = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(',').map((name) => name.trim()),
]
