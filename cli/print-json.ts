/** What a program reads: one JSON text on standard output. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))
