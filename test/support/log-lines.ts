import { Writable } from 'node:stream'

/** Returns a stream for a log, and a list of the lines that are written to it. */
export function collectLines(): Readonly<{ log: Writable; lines: readonly string[] }> {
  const lines: string[] = []
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  })
  return { log, lines }
}

/** Whether a log line has the level `error` or a higher one. */
export const isError = (line: string): boolean =>
  (JSON.parse(line) as { level: number }).level >= 50
