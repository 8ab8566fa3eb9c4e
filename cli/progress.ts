/** Shows progress on a terminal, in one line that the next call overwrites. */
export function onProgress(what: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(`${what} …`)
}

/** Clears the progress line. Call it before other output. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}
