import { Writable } from 'node:stream'

/** Where a log may be written to, and the lines that were. */
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

/** Of the level `error`, or worse. */
export const isError = (line: string): boolean =>
  (JSON.parse(line) as { level: number }).level >= 50
