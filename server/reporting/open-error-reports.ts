import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'
import type { ReportError } from './error-report.js'

export type ErrorReports = Readonly<{
  /** Reports an error in the background. Never throws. */
  report: ReportError
  /** Resolves when all reports are sent, or after two seconds. */
  flush: () => Promise<unknown>
}>

type Options = Readonly<{
  settings: Pick<Settings, 'errors.dsn' | 'errors.environment'>
  production: boolean
  log: Logger
  /** Reports above this number are only counted, because they add no information. */
  maxPerMinute?: number | undefined
}>

const minuteMs = 60_000
const flushMs = 2_000

/** Reports unhandled errors to `errors.dsn`. If it is empty, loads nothing. */
export function openErrorReports({
  settings,
  production,
  log,
  maxPerMinute = 60,
}: Options): ErrorReports {
  const dsn = settings['errors.dsn']
  if (dsn === '') return { report: () => undefined, flush: () => Promise.resolve() }
  const lost = countLost(log)
  const environment = settings['errors.environment'] || (production ? 'production' : 'development')
  const sender = import('./sentry-sender.js').then(({ createSentrySender }) =>
    createSentrySender({ dsn, environment, lost }),
  )
  const failed = (err: unknown) => log.warn({ err }, 'An error could not be reported')
  sender.catch(failed)
  const isAllowed = upTo(maxPerMinute)
  return {
    report: (error) => {
      if (isAllowed()) sender.then(({ send }) => send(error)).catch(failed)
      else lost('too_many')
    },
    flush: () => {
      const sent = sender.then(({ flush }) => flush(flushMs))
      const end = sleep(flushMs, undefined, { ref: false })
      return Promise.race([sent, end]).catch(() => undefined)
    },
  }
}

/** Returns a function that counts a report, and returns whether it is within the limit of the current minute. */
function upTo(max: number): () => boolean {
  let began = -Infinity
  let count = 0
  return () => {
    const now = performance.now()
    if (now - began >= minuteMs) [began, count] = [now, 0]
    count += 1
    return count <= max
  }
}

/** Logs at most once a minute how many reports were dropped, and why. */
function countLost(log: Logger): (reason: string) => void {
  let reasons: Record<string, number> = {}
  let timer: NodeJS.Timeout | undefined
  const logLost = () => {
    timer = undefined
    if (Object.keys(reasons).length === 0) return
    log.warn({ event: 'faults-not-reported', reasons }, 'Errors could not be reported')
    reasons = {}
    timer = setTimeout(logLost, minuteMs).unref()
  }
  return (reason) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1
    if (timer === undefined) logLost()
  }
}
