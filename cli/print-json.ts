import { clearProgress } from './progress.js'

/** Prints a value as JSON on standard output. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2))

/** Prints a report: as JSON for programs, or as text for people. */
export function printReport<T>(asJson: boolean, report: T, format: (report: T) => string): void {
  clearProgress()
  if (asJson) printJson(report)
  else console.log(format(report))
}
