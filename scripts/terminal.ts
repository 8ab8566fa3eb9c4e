import { clearProgress } from '../cli/progress.js'

/** A line for whoever ran the command, in the place of what it was doing. */
export function print(text: string): void {
  clearProgress()
  console.log(text)
}

/** What `parse` makes of the options; where they are wrong the command ends with 2, and says how it is used. */
export function optionsOr<T>(usage: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}
