import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order, Report } from './orders.js'

export type AttackChild = Readonly<{
  /** Ends the attack and resolves to its report. Rejects if the process has already ended. */
  stop: () => Promise<Report>
  kill: () => void
}>

/** Starts a process that carries out an order. */
export function runChild(order: Order): AttackChild {
  const file = fileURLToPath(new URL('./child.js', import.meta.url))
  const child = fork(file, { execArgv: [] })
  child.send(order)
  const reported = new Promise<Report>((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report))
    child.once('exit', (code) => reject(new Error(`A process of the attack ended with ${code}`)))
  })
  reported.catch(() => undefined)
  const ended = once(child, 'exit')
  return {
    stop: async () => {
      if (child.connected) child.send('stop')
      const report = await reported
      await ended
      return report
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
