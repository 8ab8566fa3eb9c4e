import { randomUUID, createHmac } from 'node:crypto'
import type { Settings } from '../settings/settings.js'

/** Who takes longer is asked again. */
const answerMs = 10_000
/** Nobody is obeyed who wants to be left alone for longer. */
const mostPatienceS = 300

/** Who is asked, and what it knows us by. */
type PurgeTarget = Readonly<{ url: string; secret: string }>

/** Undefined where the settings name nobody. */
export function purgeTarget(settings: Settings): PurgeTarget | undefined {
  const url = settings['http.cache.purgeUrl']
  return url === '' ? undefined : { url, secret: settings['http.cache.purgeSecret'] }
}

/**
 * Asks whoever speaks for the caches to forget all answers with one of these keys. Never throws. Answers for which reason
 * it is to be tried again, and after how many seconds at least.
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
    // What is not read keeps the connection.
    await answer.body?.cancel()
    if (answer.ok) return 'done'
    const asked = Number(answer.headers.get('Retry-After') ?? 0)
    const afterS = Number.isFinite(asked) ? Math.min(asked, mostPatienceS) : 0
    return { reason: `It answered ${answer.status}`, afterS }
  } catch (error) {
    const { cause, message: told } = error as Error
    return { reason: cause instanceof Error ? cause.message : told, afterS: 0 }
  }
}

/**
 * The headers that a receiver knows a message of ours by: symmetric signatures of Standard Webhooks, version 1
 * (https://www.standardwebhooks.com).
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
