import {
  createEventEnvelope,
  createStackParser,
  createTransport,
  getEnvelopeEndpointWithUrlEncodedAuth,
  makeDsn,
} from '@sentry/core'
import { nodeStackLineParser } from '@sentry/core/server'
import { ownVersion } from '../settings/own-version.js'
import type { ErrorReport } from './error-report.js'
import { errorEvent } from './error-event.js'

type SenderOptions = Readonly<{
  dsn: string
  environment: string
  /** Called for each dropped report, with the reason as one word. */
  lost: (reason: string) => void
}>

/** Maximum number of reports that are being sent. Further ones are dropped. */
const maxUnderWay = 20

const answerMs = 5_000

/**
 * Sends reports in Sentry's envelope format, without the parts of its library that watch or change the process. Sends
 * nothing while the receiver limits the rate (429, `Retry-After`, `X-Sentry-Rate-Limits`).
 */
export function createSentrySender({ dsn: address, environment, lost }: SenderOptions) {
  const dsn = makeDsn(address)
  if (dsn === undefined) throw new Error('errors.dsn cannot be read')
  const url = getEnvelopeEndpointWithUrlEncodedAuth(dsn)
  const tags = { release: `quire@${ownVersion()}`, environment }
  const parse = createStackParser(nodeStackLineParser())
  const transport = createTransport(
    { bufferSize: maxUnderWay, recordDroppedEvent: (reason) => lost(reason) },
    async ({ body }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-sentry-envelope' },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(answerMs),
      })
      // An unread body would keep the connection occupied.
      await answer.body?.cancel()
      if (!answer.ok && answer.status !== 429) lost(`status_${answer.status}`)
      return {
        statusCode: answer.status,
        headers: {
          'retry-after': answer.headers.get('Retry-After'),
          'x-sentry-rate-limits': answer.headers.get('X-Sentry-Rate-Limits'),
        },
      }
    },
  )
  return {
    /** Sends a report in the background. Errors are ignored. */
    send: (report: ErrorReport): void => {
      const envelope = createEventEnvelope(errorEvent(report, tags, parse), dsn)
      // `recordDroppedEvent` reports the failure.
      transport.send(envelope).then(undefined, () => undefined)
    },
    /** Resolves when all reports are sent, or after `timeoutMs`. */
    flush: async (timeoutMs: number) => transport.flush(timeoutMs),
  }
}
