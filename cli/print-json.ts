/** What a program reads: one JSON text on standard output. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

/** What a command has to say at its end: for programs, or for people. */
export function printReport<T>(asJson: boolean, report: T, tell: (report: T) => string): void {
  if (asJson) printJson(report)
  else console.log(tell(report))
}
