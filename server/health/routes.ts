import { fail } from '../../engine/errors.js'
import { members } from '../http/json-schemas.js'
import { reply, type Guard, type Reply, type Route } from '../http/route.js'
import { welcomePage } from './welcome-page.js'
import type { Probes } from './probes.js'

/** `/`, `/_health` and `/_ready` (docs/decisions.md, "Probes and the start page"). */
export function healthRoutes(probes: Probes): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      guard: open,
      documented: {
        id: 'welcome',
        summary: 'A page that says what runs here',
        tag,
        answers: { 200: { mediaType: 'text/html' } },
      },
      handle: welcomePage,
    },
    {
      method: 'GET',
      path: '/_health',
      guard: open,
      documented: {
        id: 'checkHealth',
        summary: 'Whether the process is up',
        tag,
        answers: { 204: 'empty' },
      },
      handle: () => reply(204),
    },
    {
      method: 'GET',
      path: '/_ready',
      guard: open,
      documented: {
        id: 'checkReadiness',
        summary: 'Whether it can serve',
        tag,
        answers: { 200: members({ status: { const: 'ready' } }) },
      },
      handle: () => readiness(probes),
    },
  ]
}

const open: Guard = { kind: 'open' }

/** Longest that a readiness check waits for the database, in ms: a load balancer asks every few seconds. */
const pingTimeoutMs = 2000

async function readiness(probes: Probes): Promise<Reply> {
  if (probes.closing()) throw notReady('The service is shutting down')
  if (!(await answers(probes.pingDatabase()))) throw notReady('The database cannot be reached')
  return reply(200, { status: 'ready' }, { 'Cache-Control': 'no-store' })
}

const notReady = (message: string) =>
  fail('unavailable', { message }, {}, { 'Retry-After': '1', 'Cache-Control': 'no-store' })

async function answers(ping: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), pingTimeoutMs)
  })
  const pinged = ping.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([pinged, late])
  } finally {
    clearTimeout(timer)
  }
}

const tag = 'Operation'
