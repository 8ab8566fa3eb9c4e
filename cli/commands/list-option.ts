/** Parses an option with comma-separated names, which may be given several times. */
export const listOption = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(',').map((name) => name.trim()),
]
