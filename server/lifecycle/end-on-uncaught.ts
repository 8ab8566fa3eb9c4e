import type { Logger } from 'pino'
import type { FaultReports } from '../reporting/open-fault-reports.js'

/**
 * What nothing caught ends the process, as it does in Node: nobody knows in which state it is. It is logged, told on
 * standard error and reported before, which takes two seconds at most.
 */
export function endOnUncaught(log: Logger, { report, flush }: FaultReports): void {
  let isEnding = false
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'The process ends by an error that nothing caught')
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
    if (isEnding) return
    isEnding = true
    report({ error, in: 'process', isFatal: true })
    void flush().finally(() => process.exit(1))
  })
}
