import { Session } from 'node:inspector'

/** What a piece of code cost, by no clock: the same on a busy machine. */
export type Work = Readonly<{
  /** How often the busiest block of each function was executed (its body, that of a loop, a branch), together. */
  steps: number
  /** Bytes that were allocated, by built-in functions and of what was freed again too; see `samplingInterval`. */
  bytes: number
}>

/** Compilers use memory when they happen to run and optimise steps away; samples are drawn by chance. */
export const countingFlags = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-flush-bytecode',
  '--sampling-heap-profiler-suppress-randomness',
]

/**
 * Bytes between two samples. Smaller than what one round of a loop allocates: with 512, a loop that
 * allocates a multiple of it was always sampled at the same place, in a counted function or in none.
 */
const samplingInterval = 61

/**
 * Counts what the code of this process does, as far as it is in files that `isCounted` takes. The process
 * is to be started with `countingFlags`. V8 counts the blocks of code that is compiled later, so what is
 * counted has to be imported after this.
 */
export function startCounting(isCounted: (url: string) => boolean): (run: () => void) => Work {
  const session = new Session()
  session.connect()
  send(session, 'HeapProfiler.enable')
  send(session, 'Profiler.enable')
  send(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return (run) => {
    // Functions are compiled, and every counter is zero.
    run()
    send(session, 'Profiler.takePreciseCoverage')
    send(session, 'HeapProfiler.startSampling', {
      samplingInterval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    run()
    const { profile } = send(session, 'HeapProfiler.stopSampling') as Samples
    const { result } = send(session, 'Profiler.takePreciseCoverage') as Coverage
    const counted = result.filter(({ url }) => isCounted(url))
    const functions = counted.flatMap((it) => it.functions)
    return {
      steps: functions.reduce((sum, { ranges }) => sum + hottest(ranges), 0),
      bytes: bytesOf(profile.head, isCounted),
    }
  }
}

/** Not the sum: V8 leaves out a block that was executed as often as the one around it, and names it for one time less. */
const hottest = (ranges: readonly { count: number }[]): number =>
  Math.max(...ranges.map(({ count }) => count))

function bytesOf(node: Sample, isCounted: (url: string) => boolean): number {
  return node.children.reduce(
    (sum, child) => sum + bytesOf(child, isCounted),
    isCounted(node.callFrame.url) ? node.selfSize : 0,
  )
}

/** The answer of a command, which comes before `post` returns. */
function send(session: Session, method: string, params: object = {}): unknown {
  let answer: unknown
  session.post(method, params, (error: Error | null, result?: unknown) => {
    if (error !== null) throw error
    answer = result
  })
  return answer
}

type Coverage = {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[]
}
type Samples = { profile: { head: Sample } }
type Sample = { callFrame: { url: string }; selfSize: number; children: Sample[] }
