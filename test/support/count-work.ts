import { Session } from 'node:inspector'

/** The cost of a piece of code, measured without a clock, so that it is the same on a busy machine. */
export type Work = Readonly<{
  /**
   * For each function, how often its busiest block (body, loop body or branch) was executed; the sum of these numbers.
   */
  steps: number
  /**
   * Allocated bytes, estimated with `samplingInterval`. Includes allocations by built-in functions, and memory that was
   * freed again.
   */
  bytes: number
}>

/**
 * Options for Node. Without them, compilers allocate memory at any time and remove steps, and heap samples are random.
 */
export const countingFlags = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-flush-bytecode',
  '--sampling-heap-profiler-suppress-randomness',
]

/**
 * Bytes between two heap samples. A loop iteration allocates more. No power of two: with 512, some loops were always
 * sampled at the same place.
 */
const samplingInterval = 61

/**
 * Returns a function that runs code and counts its work, only in files that `isCounted` accepts. Needs `countingFlags`.
 * Import the code to count later, because V8 only counts blocks of code that is compiled after this call.
 */
export function startCounting(isCounted: (url: string) => boolean): (run: () => void) => Work {
  const session = new Session()
  session.connect()
  send(session, 'HeapProfiler.enable')
  send(session, 'Profiler.enable')
  send(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return (run) => {
    // The first run compiles all functions. Reading the coverage after it resets all counters to zero.
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

/**
 * Returns the highest count of a function's blocks. Their sum would be wrong: V8 only reports an inner block if its
 * count differs from that of the enclosing block.
 */
const hottest = (ranges: readonly { count: number }[]): number =>
  Math.max(...ranges.map(({ count }) => count))

function bytesOf(node: Sample, isCounted: (url: string) => boolean): number {
  return node.children.reduce(
    (sum, child) => sum + bytesOf(child, isCounted),
    isCounted(node.callFrame.url) ? node.selfSize : 0,
  )
}

/** Sends a command to the inspector. This is synchronous, because the callback is called before `post` returns. */
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
