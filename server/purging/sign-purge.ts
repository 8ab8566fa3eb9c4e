import { createHmac } from 'node:crypto'

/**
 * The headers that a receiver knows a message of ours by: symmetric signatures of Standard Webhooks, version 1
 * (https://www.standardwebhooks.com).
 * @param secret `whsec_` and Base64
 * @param sentAt in seconds since 1970
 */
export function signedHeaders(
  secret: string,
  message: Readonly<{ id: string; sentAt: number; body: string }>,
): Readonly<Record<string, string>> {
  const { id, sentAt, body } = message
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': `${sentAt}`,
    'webhook-signature': `v1,${signature}`,
  }
}
