import {
  createEventEnvelope,
  createStackParser,
  createTransport,
  getEnvelopeEndpointWithUrlEncodedAuth,
  makeDsn,
} from '@sentry/core'
import { nodeStackLineParser } from '@sentry/core/server'
import { ownVersion } from '../settings/own-version.js'
import type { Fault } from './fault.js'
import { faultEvent } from './fault-event.js'

type SenderOptions = Readonly<{
  /** `errors.dsn` */
  dsn: string
  /** `errors.environment` */
  environment: string
  /** Called for each that is given up, with the reason in a word. */
  lost: (reason: string) => void
}>

/** Reports that may be under way; more are given up. */
const maxUnderWay = 20

/** Who takes longer will not answer. */
const answerMs = 5_000

/**
 * Speaks Sentry's protocol (envelopes) with the parts of its library that do so; none of those that watch or change the
 * process is loaded. A receiver that asks for less (429, `Retry-After`, `X-Sentry-Rate-Limits`) is sent nothing meanwhile.
 */
export function createSentrySender({ dsn: address, environment, lost }: SenderOptions) {
  const dsn = makeDsn(address)
  if (dsn === undefined) throw new Error('errors.dsn cannot be read')
  const url = getEnvelopeEndpointWithUrlEncodedAuth(dsn)
  const told = { release: `quire@${ownVersion()}`, environment }
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
      // What is not read keeps the connection.
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
    /** Sends it some time; whatever comes of it, nobody is disturbed. */
    send: (fault: Fault): void => {
      const envelope = createEventEnvelope(faultEvent(fault, told, parse), dsn)
      // Those that are given up are told of by `recordDroppedEvent`.
      transport.send(envelope).then(undefined, () => undefined)
    },
    /** Resolves when all is sent, or the time is over. */
    flush: async (timeoutMs: number) => transport.flush(timeoutMs),
  }
}
