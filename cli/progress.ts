/** One line that changes, on a terminal; nothing in a log. */
export function onProgress(what: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(`${what} …`)
}

/** Takes that line away, before others are written. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}
