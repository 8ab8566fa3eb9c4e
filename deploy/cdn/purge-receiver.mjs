// Receives the requests that Quire sends to `http.cache.purgeUrl`, and purges a CDN (docs/caching.md). It needs only Node 20:
//   CDN=fastly PURGE_SECRET=whsec_… FASTLY_SERVICE=… FASTLY_TOKEN=… node purge-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const env = process.env
const secret = Buffer.from((env.PURGE_SECRET ?? '').replace(/^whsec_/, ''), 'base64')
if (secret.length < 24) throw new Error('PURGE_SECRET is not given')

/** The purge request of each CDN. Quire sends up to a hundred keys at a time. */
const cdns = {
  fastly: (keys) => [
    `${env.FASTLY_API ?? 'https://api.fastly.com'}/service/${env.FASTLY_SERVICE}/purge`,
    {
      method: 'POST',
      headers: { 'Fastly-Key': env.FASTLY_TOKEN, 'Surrogate-Key': keys.join(' ') },
    },
  ],
  cloudflare: (keys) => [
    `${env.CLOUDFLARE_API ?? 'https://api.cloudflare.com/client/v4'}/zones/${env.CLOUDFLARE_ZONE}/purge_cache`,
    {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${env.CLOUDFLARE_TOKEN}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ tags: keys }),
    },
  ],
  varnish: (keys) => [
    env.VARNISH_URL,
    { method: 'PURGE', headers: { 'xkey-purge': keys.join(' ') } },
  ],
}
const tell = cdns[env.CDN]
if (tell === undefined) throw new Error(`CDN must be one of ${Object.keys(cdns).join(', ')}`)

/** Standard Webhooks: signed with the secret, and not older than five minutes. */
function isSigned(headers, body) {
  const {
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': signatures = '',
  } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) < 300)) return false
  const right = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

async function answer(request) {
  const body = await text(request)
  if (!isSigned(request.headers, body)) return 401
  const { type, data } = JSON.parse(body)
  if (type !== 'cache.purge') return 204
  const answer = await fetch(...tell(data.keys))
  await answer.body?.cancel()
  // Quire repeats requests that did not get a 2xx.
  return answer.ok ? 204 : 502
}

const server = createServer((request, response) => {
  answer(request)
    .catch(() => 502)
    .then((status) => response.writeHead(status).end())
})
server.listen(Number(env.PORT ?? 8787), () => console.log(`listening on ${server.address().port}`))
