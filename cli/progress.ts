/** Shows progress in one line that is overwritten, on a terminal only. */
export function onProgress(what: string): void {
  if (!process.stderr.isTTY) return
  clearProgress()
  process.stderr.write(`${what} …`)
}

/** Removes that line before other output. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}
