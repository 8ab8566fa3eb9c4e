import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '../../../scripts/process-table.js'
import { cheapReads } from './calls.js'
import type { MemorySamples } from './memory-samples.js'
import type { Order, Report } from './orders.js'
import { runChild } from './run-child.js'

/** What one phase showed. */
export type PhaseResult = Readonly<{
  name: string
  /** What ordinary readers got. */
  reads: Report
  /** By order of the phase. */
  attacks: readonly Report[]
  /** Milliseconds. */
  lasted: number
  /** CPU time of the service in milliseconds; NaN if it ended, or the system does not tell. */
  cpuMs: number
  /** Bytes (PSS); null where the system does not tell. */
  peak: number | null
  /** From the end of the attack until reads are quick again; null where that took longer than was waited. */
  recoveredMs: number | null
}>

export type PhaseOptions = Readonly<{
  url: string
  /** Of the service. */
  pid: number
  seconds: number
  /** Undefined where the system does not tell. */
  memory: MemorySamples | undefined
  /** What counts as quick, in ms. */
  quickMs: number
}>

/** The address of ordinary readers: no attack comes from it. */
const readersAddress = '127.0.0.1'
/** Longer than any time that the service promises: who waits so long is not answered at all. */
const readerTimeoutMs = 60_000

/** Ordinary readers beside what the phase orders, for so long. */
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
    // The readers' last answers are waited for while the attack goes on.
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
    const asked = performance.now()
    if (asked - started > waitedMs) return null
    const answer = await fetch(url + (call?.path ?? ''), { signal: AbortSignal.timeout(waitedMs) })
      .then(async (response) => (await response.text(), response.status))
      .catch(() => 0)
    const isQuick = answer === 200 && performance.now() - asked < quickMs
    quick = isQuick ? quick + 1 : 0
    if (!isQuick) since = performance.now()
    await sleep(20)
  }
  return since - started
}
