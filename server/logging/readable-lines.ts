import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'

/** The members of pino's JSON lines that readable lines show. */
type Line = Readonly<{
  level: number
  /** Milliseconds since 1970. */
  time: number
  msg: string
  responseTime?: number
  err?: Readonly<{ message: string; stack?: string }>
}>

/** Levels that are shown by name, with their colours. */
const named: Readonly<Record<number, readonly [name: string, colour: 'red' | 'yellow' | 'gray']>> =
  {
    20: ['debug', 'gray'],
    40: ['warn', 'yellow'],
    50: ['error', 'red'],
    60: ['fatal', 'red'],
  }

/** Converts pino's lines to `12:03:04 warn The disk of .data is almost full`. Coloured if `out` is a terminal. */
export const readableLines = (out: NodeJS.WritableStream): DestinationStream => ({
  write: (json) => void out.write(`${readable(JSON.parse(json) as Line, out)}\n`),
})

function readable(
  { level, time, msg, responseTime, err }: Line,
  stream: NodeJS.WritableStream,
): string {
  const [name, colour = 'gray'] = named[level] ?? []
  const text = [
    styleText('gray', new Date(time).toTimeString().slice(0, 8), { stream }),
    ...(name === undefined ? [] : [styleText(colour, name, { stream })]),
    msg,
    ...(responseTime === undefined
      ? []
      : [styleText('gray', `${Math.round(responseTime)} ms`, { stream })]),
  ].join(' ')
  return err === undefined ? text : `${text}\n${err.stack ?? err.message}`
}
