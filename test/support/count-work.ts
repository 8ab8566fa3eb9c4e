import { Session } from 'node:inspector'

/** The cost of a piece of code, measured without a clock, so that it is the same on a busy machine. */
export type Work = Readonly<{
  /** The sum over all functions of how often their busiest block (body, loop body or branch) was executed. */
  steps: number
  /** Measured with `samplingInterval`. Includes allocations by built-in functions, and memory that was freed again. */
  bytes: number
}>

/** Without these flags, compilers allocate memory at any time and remove steps, and heap samples are random. */
export const countingFlags = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-flush-bytecode',
  '--sampling-heap-profiler-suppress-randomness',
]

/**
 * Fewer bytes than a loop iteration allocates, and no power of two: with 512, some loops were always sampled at the
 * same place.
 */
const samplingInterval = 61

/**
 * Returns a function that counts the work of a call in files that `isCounted` accepts. Needs `countingFlags`. Import
 * the counted code later, because V8 only counts blocks of code that is compiled after this call.
 */
export function startCounting(isCounted: (url: string) => boolean): (run: () => void) => Work {
  const session = new Session()
  session.connect()
  send(session, 'HeapProfiler.enable')
  send(session, 'Profiler.enable')
  send(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return (run) => {
    // The first run compiles all functions. Reading the coverage then resets all counters to zero.
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

/** Counts cannot be added: V8 only reports an inner block if its count differs from that of the enclosing block. */
const hottest = (ranges: readonly { count: number }[]): number =>
  Math.max(...ranges.map(({ count }) => count))

function bytesOf(node: Sample, isCounted: (url: string) => boolean): number {
  return node.children.reduce(
    (sum, child) => sum + bytesOf(child, isCounted),
    isCounted(node.callFrame.url) ? node.selfSize : 0,
  )
}

/** This is synchronous, because the inspector calls the callback before `post` returns. */
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
