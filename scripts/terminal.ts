/** A line for whoever ran the command, in the place of what it was doing. */
export function print(text: string): void {
  clearProgress()
  console.log(text)
}

/** One line that changes, on a terminal; nothing in a log. */
export function onProgress(what: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(`${what} …`)
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
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
