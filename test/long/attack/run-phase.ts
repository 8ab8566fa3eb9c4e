import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '../../../scripts/process-table.js'
import { cheapReads } from './calls.js'
import type { MemorySamples } from './memory-samples.js'
import type { Order, Report } from './orders.js'
import { runChild } from './run-child.js'

/** The measurements of one phase. */
export type PhaseResult = Readonly<{
  name: string
  reads: Report
  attacks: readonly Report[]
  /** Duration of the phase in milliseconds. */
  lasted: number
  /** CPU time of the service. NaN if the service has ended or the system does not report it. */
  cpuMs: number
  /** Peak PSS of the service in bytes; null if the system does not report it. */
  peak: number | null
  /** Milliseconds from the end of the attack until reads are quick again; null if this takes too long. */
  recoveredMs: number | null
}>

export type PhaseOptions = Readonly<{
  url: string
  pid: number
  seconds: number
  memory: MemorySamples | undefined
  quickMs: number
}>

/** Attacks come from other addresses if the system has any. */
const readersAddress = '127.0.0.1'
/** Longer than all time limits of the service: if a reader waits this long, the service does not respond at all. */
const readerTimeoutMs = 60_000

/** Runs ordinary readers alongside the attacks of a phase. */
export async function runPhase(
  { name, orders }: Readonly<{ name: string; orders: readonly Order[] }>,
  { url, pid, seconds, memory, quickMs }: PhaseOptions,
): Promise<PhaseResult> {
  memory?.takePeak()
  const reading: Order = {
    ...{ kind: 'read', url, address: readersAddress, calls: cheapReads },
    ...{ everyMs: 50, timeoutMs: readerTimeoutMs },
  }
  const started = performance.now()
  const cpuBefore = await cpuOf(pid)
  const children = [reading, ...orders].map(runChild)
  try {
    await sleep(seconds * 1000)
    const [readers, ...attackers] = children
    // Stops the readers first, so that the attack continues until they have received their last responses.
    const reads = (await readers?.stop()) ?? {}
    const attacks = await Promise.all(attackers.map((child) => child.stop()))
    const lasted = performance.now() - started
    const cpuMs = (await cpuOf(pid)) - cpuBefore
    const recoveredMs = await untilQuick(url, quickMs)
    const peak = memory?.takePeak() ?? null
    return { name, reads, attacks, lasted, cpuMs, peak, recoveredMs }
  } finally {
    children.forEach((child) => child.kill())
  }
}

const inARow = 5
const waitedMs = 15_000

async function untilQuick(url: string, quickMs: number): Promise<number | null> {
  const started = performance.now()
  const [call] = cheapReads
  let since = started
  for (let quick = 0; quick < inARow;) {
    const sentAt = performance.now()
    if (sentAt - started > waitedMs) return null
    const answer = await fetch(url + (call?.path ?? ''), { signal: AbortSignal.timeout(waitedMs) })
      .then(async (response) => (await response.text(), response.status))
      .catch(() => 0)
    const isQuick = answer === 200 && performance.now() - sentAt < quickMs
    quick = isQuick ? quick + 1 : 0
    if (!isQuick) since = performance.now()
    await sleep(20)
  }
  return since - started
}
