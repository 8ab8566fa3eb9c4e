import { randomUUID, createHmac } from 'node:crypto'
import type { Settings } from '../settings/settings.js'

/** Timeout of a purge request, which is then retried. */
const answerMs = 10_000
/** Longest `Retry-After` that is respected, in seconds. */
const maxRetryAfterS = 300

type PurgeTarget = Readonly<{ url: string; secret: string }>

/** Returns the configured receiver of purges, if any. */
export function purgeTarget(settings: Settings): PurgeTarget | undefined {
  const url = settings['http.cache.purgeUrl']
  return url === '' ? undefined : { url, secret: settings['http.cache.purgeSecret'] }
}

/**
 * Asks the receiver to purge by key. Never throws; resolves with the reason of a failure and the seconds to wait before
 * a retry.
 */
export async function sendPurge(
  { url, secret }: PurgeTarget,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<'done' | Readonly<{ reason: string; afterS: number }>> {
  const now = new Date()
  const body = JSON.stringify({
    type: 'cache.purge',
    timestamp: now.toISOString(),
    data: { keys },
  })
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signedHeaders(secret, now, body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    })
    // An unread body would keep the connection occupied.
    await answer.body?.cancel()
    if (answer.ok) return 'done'
    const retryAfter = Number(answer.headers.get('Retry-After') ?? 0)
    const afterS = Number.isFinite(retryAfter) ? Math.min(retryAfter, maxRetryAfterS) : 0
    return { reason: `It answered ${answer.status}`, afterS }
  } catch (error) {
    const { cause, message } = error as Error
    return { reason: cause instanceof Error ? cause.message : message, afterS: 0 }
  }
}

/**
 * Returns the headers of a request with a symmetric signature (Standard Webhooks, v1,
 * https://www.standardwebhooks.com).
 * @param secret `whsec_` and Base64
 */
function signedHeaders(secret: string, now: Date, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`
  const sentAt = Math.floor(now.getTime() / 1000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': `${sentAt}`,
    'webhook-signature': `v1,${signature}`,
  }
}
