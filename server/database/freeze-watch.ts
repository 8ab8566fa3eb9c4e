import { readFileSync } from 'node:fs'

/** How to check whether a process is alive. */
export type Watched = Readonly<{
  /** `answer` is called when the process responds. */
  ping: (answer: () => void) => void
  /** Whether the process is working, even if it does not answer pings; undefined if the system does not report this. */
  isBusy: () => boolean | undefined
}>

/** In milliseconds. One check per second has no measurable cost. */
export const pingIntervalMs = 1_000
/**
 * Number of checks without a sign of life after which a process counts as frozen. A slow disk or a busy processor
 * causes far shorter silence.
 */
const maxSilentTicks = 5
/** Used instead of `maxSilentTicks` if `isBusy` returns undefined: a missing answer alone proves less. */
const maxSilentTicksUnknown = 15

/**
 * Returns a function to call on every tick of a timer. It returns whether the process has neither answered nor worked
 * for several ticks. Ticks are counted instead of time, so that a suspended machine or a stopped parent does not make
 * the process look frozen.
 */
export function createFreezeWatch({ ping, isBusy }: Watched): () => boolean {
  let isPinged = false
  let silent = 0
  return () => {
    if (!isPinged) {
      silent = 0
      isPinged = true
      ping(() => (isPinged = false))
      // Call `isBusy` in every tick, because it stores the state that the next call compares with.
      isBusy()
      return false
    }
    const busy = isBusy()
    silent = busy === true ? 0 : silent + 1
    return silent >= (busy === undefined ? maxSilentTicksUnknown : maxSilentTicks)
  }
}

/**
 * Returns a function that reports whether a process has used the processor since the last call, or waits for the
 * processor or a disk. The function reads /proc, so it returns undefined on other systems than Linux.
 */
export function createBusyCheck(pid: number): () => boolean | undefined {
  let before = 0
  return () => {
    const state = stateOf(pid)
    if (state === undefined) return undefined
    // An idle engine uses less than a hundredth of a second of processor time per second.
    const hasWorked = state.ticks - before > 1
    before = state.ticks
    return hasWorked || state.letter === 'D' || state.letter === 'R'
  }
}

/** Returns the state (`R`, `S`, `T`, …), and the used processor time in hundredths of a second. */
function stateOf(pid: number): Readonly<{ letter: string; ticks: number }> | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The process name may contain anything, even a parenthesis.
    const [letter = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { letter, ticks: Number(fields[10]) + Number(fields[11]) }
  } catch {
    return undefined
  }
}
