import { readFileSync } from 'node:fs'

/** What a watched process does to show that it lives. */
export type Watched = Readonly<{
  /** Asks for a sign; `answer` is called when it comes. */
  ask: (answer: () => void) => void
  /** Whether it works, though it does not answer; undefined where the system does not tell. */
  isBusy: () => boolean | undefined
}>

/** Once a second costs nothing that could be measured. */
export const askEveryMs = 1_000
/** So many ticks without a sign of life: much longer than a stalled disk or a crowded processor takes. */
const patience = 5
/** Where nobody tells whether it works, silence alone must not be taken for death so soon. */
const blindPatience = 15

/**
 * Counts how long a process is silent: it is told of every tick, and answers whether the process is frozen, which
 * is when it neither answers nor works. Ticks are those of the watcher's own timer, and not the time of the clock:
 * a machine that was suspended, and a watcher that was stopped itself, go on with the tick at which they were.
 */
export function createFreezeWatch({ ask, isBusy }: Watched): () => boolean {
  let isAsked = false
  let silent = 0
  return () => {
    if (!isAsked) {
      silent = 0
      isAsked = true
      ask(() => (isAsked = false))
      // So that the next tick compares with this one.
      isBusy()
      return false
    }
    const busy = isBusy()
    silent = busy === true ? 0 : silent + 1
    return silent >= (busy === undefined ? blindPatience : patience)
  }
}

/**
 * Tells of a process whether it used the processor since it was asked last, or waits for it or for a disk; on
 * Linux, where /proc says so.
 */
export function busyTeller(pid: number): () => boolean | undefined {
  let before = 0
  return () => {
    const state = stateOf(pid)
    if (state === undefined) return undefined
    // The engine's idle threads take less than a hundredth of a second in a second.
    const hasWorked = state.ticks - before > 1
    before = state.ticks
    return hasWorked || state.letter === 'D' || state.letter === 'R'
  }
}

/** `R`, `S`, `T`, …, and the processor time in hundredths of a second. */
function stateOf(pid: number): Readonly<{ letter: string; ticks: number }> | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // After the name, which may hold anything, a parenthesis too.
    const [letter = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { letter, ticks: Number(fields[10]) + Number(fields[11]) }
  } catch {
    return undefined
  }
}
