import { readFileSync } from 'node:fs'

/** Functions that check whether a watched process is alive. */
export type Watched = Readonly<{
  /** Requests a sign of life. `answer` is called when the process responds. */
  ping: (answer: () => void) => void
  /** Whether the process is working although it does not answer; undefined if the system does not report it. */
  isBusy: () => boolean | undefined
}>

/** Interval of checks in milliseconds. Once a second has no measurable cost. */
export const pingIntervalMs = 1_000
/** Ticks without a sign of life after which a process is frozen. A stalled disk or a busy processor takes far less. */
const maxSilentTicks = 5
/** The same limit if it is unknown whether the process is working, because silence alone is weaker evidence. */
const maxSilentTicksUnknown = 15

/**
 * Returns a function to be called on every tick of a timer. It returns whether the process is frozen: it has neither
 * answered nor worked for several ticks. Silence is counted in ticks and not in clock time, so that neither a suspended
 * machine nor a stopped watcher counts as silence of the process.
 */
export function createFreezeWatch({ ping, isBusy }: Watched): () => boolean {
  let isPinged = false
  let silent = 0
  return () => {
    if (!isPinged) {
      silent = 0
      isPinged = true
      ping(() => (isPinged = false))
      // This call stores the state with which the next tick compares.
      isBusy()
      return false
    }
    const busy = isBusy()
    silent = busy === true ? 0 : silent + 1
    return silent >= (busy === undefined ? maxSilentTicksUnknown : maxSilentTicks)
  }
}

/**
 * Returns a function that returns whether a process has used the processor since the last call, or is waiting for the
 * processor or a disk. It reads /proc, so it returns undefined on systems other than Linux.
 */
export function busyTeller(pid: number): () => boolean | undefined {
  let before = 0
  return () => {
    const state = stateOf(pid)
    if (state === undefined) return undefined
    // The engine's idle threads take less than a hundredth of a second per second.
    const hasWorked = state.ticks - before > 1
    before = state.ticks
    return hasWorked || state.letter === 'D' || state.letter === 'R'
  }
}

/** Returns the state (`R`, `S`, `T`, …) and the processor time in hundredths of a second. */
function stateOf(pid: number): Readonly<{ letter: string; ticks: number }> | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Skip the process name, which may contain anything, even a parenthesis.
    const [letter = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { letter, ticks: Number(fields[10]) + Number(fields[11]) }
  } catch {
    return undefined
  }
}
