import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { pino } from 'pino'

type LogLine = Readonly<
  { level: number; msg: string; enginePid?: number } & Record<string, unknown>
>

/** A log and its lines. `find` returns the last line that contains `text`. */
export type Journal = Readonly<{ log: Logger; find(text: string): LogLine | undefined }>

export function startJournal(also: (line: string) => void = () => undefined): Journal {
  const lines: LogLine[] = []
  const write = (line: string) => {
    also(line)
    lines.unshift(JSON.parse(line) as LogLine)
  }
  return {
    log: pino({ base: null }, { write }),
    find: (text) => lines.find(({ msg }) => msg.includes(text)),
  }
}

/** Returns the process id of the engine that was started last. */
export function enginePid(journal: Journal): number {
  const pid = journal.find('The database engine is ready')?.enginePid
  if (pid === undefined) throw new Error('no engine was started')
  return pid
}

/** Whether a process is running. A zombie is not. */
export function isAlive(pid: number): boolean {
  if (isZombie(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Whether a process is a zombie (proc(5)). Orphans stay zombies until process 1 waits for them, which takes seconds in
 * some containers.
 */
function isZombie(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.charAt(text.lastIndexOf(')') + 2) === 'Z'
  } catch {
    return false
  }
}

/** Polls until the condition holds. The time limit is long, because only failing tests reach it. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await condition());) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${String(condition)}`)
    await sleep(10)
  }
}

/** Returns a pipeline that runs for hours: it pairs all documents of a collection, and drops the pairs. */
export const endless = (collection: string) => [
  {
    $lookup: {
      from: collection,
      pipeline: [
        {
          $lookup: {
            from: collection,
            pipeline: [{ $match: { $expr: { $eq: [{ $rand: {} }, 2] } } }],
            as: 'none',
          },
        },
        { $match: { 'none.0': { $exists: true } } },
      ],
      as: 'none',
    },
  },
]
