import { setTimeout as sleep } from 'node:timers/promises'
import { findProcess } from '../lock-holder.js'

const stopWithinMs = 30_000

/** Ends a server whose Quire was killed: it writes down what it holds, or is killed where it takes too long. */
export async function endServer(pid: number): Promise<void> {
  signal(pid, 'SIGTERM')
  for (const deadline = performance.now() + stopWithinMs; performance.now() < deadline;) {
    if (!(await runs(pid))) return
    await sleep(50)
  }
  signal(pid, 'SIGKILL')
  for (; await runs(pid);) await sleep(50)
}

const runs = async (pid: number): Promise<boolean> =>
  signal(pid, 0) && (await findProcess(pid)) !== undefined

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
