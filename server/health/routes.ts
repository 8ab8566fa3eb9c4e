import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../engine/errors.js'
import { members } from '../http/routes/json-schemas.js'
import { reply, type Reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'

/** Routes `/`, `/_health` and `/_ready` (docs/internals/decisions.md, "Probes and the start page"). */
export function healthRoutes(probes: Probes): readonly Route[] {
  const page = welcomePage(probes.reference)
  return routesOf(
    { guard: 'open', tag: 'Operation' },
    {
      'GET /': {
        id: 'welcome',
        summary: 'Show a page about this service',
        answer: { mediaType: 'text/html' },
        handle: () => page,
      },
      'GET /_health': {
        id: 'checkHealth',
        summary: 'Check that the process runs',
        answers: { 204: 'empty' },
        handle: () => reply(204),
      },
      'GET /_ready': {
        id: 'checkReadiness',
        summary: 'Check that the service can serve requests',
        answer: members({ status: { const: 'ready' } }),
        handle: () => readiness(probes),
      },
    },
  )
}

/** In milliseconds. Shorter than the few seconds between two checks of a load balancer. */
const pingTimeoutMs = 2000

async function readiness(probes: Probes): Promise<Reply> {
  const loading = probes.loading?.()
  if (loading !== undefined) throw notReady(loading)
  if (probes.closing()) throw notReady('The service is shutting down')
  if (!(await answers(probes.pingDatabase()))) throw notReady('The database cannot be reached')
  return reply(200, { status: 'ready' }, { 'Cache-Control': 'no-store' })
}

/** Returns a 503 that says why the service is not ready. */
export const notReady = (message: string) =>
  fail('unavailable', message, {}, { 'Retry-After': '1', 'Cache-Control': 'no-store' })

async function answers(ping: Promise<unknown>): Promise<boolean> {
  const pinged = ping.then(
    () => true,
    () => false,
  )
  return Promise.race([pinged, sleep(pingTimeoutMs, false, { ref: false })])
}

/** Page at `/` (docs/internals/decisions.md, "Probes and the start page"). */
const welcomePage = (reference: Probes['reference']): Reply => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'public, max-age=3600',
  },
  body: new TextEncoder().encode(pageText(reference)),
})

const pageText = (reference: Probes['reference']): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Quire</title>
<style>body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>Quire</h1>
<p>This is a headless content service. Its content is at <code>/api/&lt;content-type&gt;</code>, as JSON.</p>
<p>Content is private until a role or an API token has the permission to read it. As a user or with an API token, send <code>Authorization: Bearer &lt;token&gt;</code>.</p>
<p><a href="/documentation">/documentation</a> is the reference of this API, ${documents[reference]}.</p>
<p>The package <code>quire-content</code> contains the documentation of requests, settings and operation. A project has it in <code>node_modules/quire-content/docs</code>.</p>
<p><a href="/_health">/_health</a> shows whether the process runs, and <a href="/_ready">/_ready</a> whether it can serve requests.</p>
</html>
`

/** Text about the OpenAPI document, by who may read it. */
const documents = {
  public:
    'and <a href="/documentation/openapi.json">/documentation/openapi.json</a> the same as an OpenAPI document',
  admins: 'which admins and full-access tokens may read',
} as const

/**
 * State for the health routes. Whether the definitions are loaded is not part of it, because the service listens only
 * after that (docs/internals/decisions.md, "Probes and the start page").
 */
type Probes = Readonly<{
  pingDatabase: () => Promise<unknown>
  closing: () => boolean
  /** Returns what is being loaded; undefined if everything can be served. */
  loading?: (() => string | undefined) | undefined
  /** Who may read the API reference. */
  reference: 'public' | 'admins'
}>
