/** Of an option with names between commas, which may be given several times. */
export const listOption = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...value.split(',').map((name) => name.trim()),
]
