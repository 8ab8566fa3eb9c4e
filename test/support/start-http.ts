import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino, type DestinationStream } from 'pino'
import { fail } from '../../engine/errors.js'
import { createApp } from '../../server/lifecycle/app.js'
import type { FailureObserver } from '../../server/http/observe/access-log.js'
import type { Access, Route } from '../../server/http/route.js'
import { closeHttpServer, createHttpServer } from '../../server/http/connections/create-server.js'
import type { Dispatcher } from '../../server/http/routes/routing.js'
import { writeQueues } from '../../server/http/routes/write-queues.js'
import { OutputBuffers } from '../../server/http/response/output-buffers.js'
import type { FollowRequest } from '../../server/http/observe/watch-requests.js'
import { readSettings } from '../../server/settings/read-settings.js'
import type { Settings } from '../../server/settings/settings.js'
import { createAdmission } from '../../workers/admission.js'
import { sender, type Send } from './request.js'

export type HttpParts = Readonly<{
  routes?: readonly Route[]
  content?: Dispatcher
  settings?: Partial<Settings>
  /** Maximum memory of waiting requests, in bytes. */
  maxQueuedBytes?: number
  access?: Access
  unsent?: OutputBuffers
  log?: DestinationStream
  failed?: FailureObserver
  follow?: FollowRequest | undefined
}>

export type RunningHttp = Readonly<{
  url: string
  send: Send
  tempDir: string
  stop: (timeoutMs?: number, graceMs?: number, delayMs?: number) => Promise<void>
}>

/** Starts only the HTTP server, without a database. If `access` is absent, all protected routes respond with 403. */
export async function startHttp(parts: HttpParts = {}): Promise<RunningHttp> {
  const settings = { ...readSettings({}, {}, []), ...parts.settings }
  const tempDir = await mkdtemp(join(tmpdir(), 'quire-test-'))
  const admission = createAdmission({
    maxQueued: settings['http.maxQueued'],
    maxQueuedBytes: parts.maxQueuedBytes ?? settings['http.maxBodyMemory'] / 4,
  })
  const app = createApp({
    settings,
    log: parts.log === undefined ? pino({ level: 'silent' }) : pino(parts.log),
    access: parts.access ?? { authorize: () => Promise.reject(fail('forbidden')) },
    routes: parts.routes ?? [],
    content: parts.content ?? { match: () => undefined },
    admission,
    writes: writeQueues(admission, settings['api.rest.maxInlineReads']),
    tempDir,
    follow: parts.follow,
    ...(parts.failed === undefined ? {} : { failed: parts.failed }),
    outputBuffers: parts.unsent ?? new OutputBuffers(settings),
  })
  const server = createHttpServer(settings, app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    send: sender(url),
    tempDir,
    stop: async (timeoutMs = 1000, graceMs = 20, delayMs = 0) => {
      await closeHttpServer(server, { delayMs, timeoutMs, graceMs })
      await rm(tempDir, { recursive: true, force: true })
    },
  }
}
