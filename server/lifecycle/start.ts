import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Admission } from '../../workers/admission.js'
import { isServed, servedClock } from '../../engine/database/watch-servers.js'
import { isElection } from '../../engine/errors/database-errors.js'
import { createApp } from './app.js'
import type { AccessFeature } from '../accounts/create-access.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import { createClosing, type Closing } from './closing.js'
import { applyAtStart } from '../configuration/apply-at-start.js'
import type { Config } from '../settings/config.js'
import { explainDenied } from '../database/check-server.js'
import { openFileLimit, tooFewForClients } from '../database/descriptors.js'
import { forgetService, recordService } from '../database/running-service.js'
import { makeTempFolder } from '../database/temp-folder.js'
import { keepDocuments } from '../documentation/document-memory.js'
import { pageRoutes } from '../documentation/page-routes.js'
import { documentationRoutes, type DocumentationAccess } from '../documentation/routes.js'
import { healthRoutes, notReady } from '../health/routes.js'
import type { Access, Route } from '../http/route.js'
import {
  closeHttpServer,
  createHttpServer,
  openConnections,
} from '../http/connections/create-server.js'
import { listen } from '../http/connections/listen.js'
import { openTracing } from '../tracing/open-tracing.js'
import { reportFailures } from '../reporting/report-failures.js'
import { openErrorReports, type ErrorReports } from '../reporting/open-error-reports.js'
import { createLog } from '../logging/create-log.js'
import { createLiveLevel, type LiveLevel } from '../logging/live-level.js'
import type { ReadPlan } from '../../engine/read.js'
import { logSlowRequests } from '../http/observe/slow-requests.js'
import type { FollowRequest } from '../http/observe/watch-requests.js'
import { createMetrics } from '../metrics/create-metrics.js'
import { metricsRoutes } from '../metrics/metrics-routes.js'
import { closeMetrics, metricsAddress, serveMetrics } from '../metrics/serve-metrics.js'
import { createRequestMetrics, type RequestMetrics } from '../metrics/request-metrics.js'
import { metricSources } from './metric-sources.js'
import { openServices, type OpenServices } from './open-services.js'
import type { Services } from '../services.js'

/** A running service. */
export type Quire = Readonly<{
  /** For example `http://localhost:1337`. */
  url: string
  port: number
  services: Services
  /** Manages tokens, admins and roles without HTTP. */
  access: AccessFeature
  /** The request queues, with counts of rejected requests. */
  admission: Admission
  /** The built-in routes, without those of content-types. */
  routes: readonly Route[]
  /** Waits up to `http.shutdownTimeoutMs` for requests in flight, then closes everything. */
  stop: () => Promise<void>
}>

export type StartOptions = Readonly<{
  /** Default: a log with level `log.level` and format `log.format`, on standard output. */
  log?: Logger
  level?: LiveLevel
  reports?: ErrorReports
  providers?: ProviderTable | undefined
  /** Called for each request. Default: creates spans if an OpenTelemetry SDK is registered. */
  follow?: FollowRequest | undefined
  /**
   * Returns a text about content that is still being loaded; undefined once everything is loaded. Until then, `/_ready`
   * and requests without credentials get a 503 with that text.
   */
  loading?: (() => string | undefined) | undefined
  /** Aborts the start. To stop a running service, call `stop`. */
  stopping?: AbortSignal | undefined
}>

/**
 * Maximum number of attempts to start while MongoDB elects a primary. Between two attempts, there is a pause of
 * `pauseMs` milliseconds.
 */
const maxStarts = 5
const pauseMs = 1_000

/**
 * Opens the services, and listens. If that fails or is aborted, closes everything. If it fails because MongoDB elects a
 * primary, tries again from the beginning, because many steps (above all creating indexes) do not retry.
 */
export async function startQuire(config: Config, options: StartOptions = {}): Promise<Quire> {
  const { settings, production } = config
  const log = options.log ?? createLog(settings['log.level'], settings['log.format'])
  const level = options.level ?? createLiveLevel(log)
  const reports = options.reports ?? openErrorReports({ settings, production, log })
  for (let starts = 1; ; starts += 1)
    try {
      return await startOnce(config, { ...options, log, level, reports })
    } catch (err) {
      if (!isElection(err) || starts === maxStarts || options.stopping?.aborted === true)
        throw explainDenied(err)
      log.warn({ err }, 'The database elected another primary. Starting again')
      await sleep(pauseMs)
    }
}

type Start = StartOptions & Required<Pick<StartOptions, 'log' | 'level' | 'reports'>>

async function startOnce(config: Config, options: Start): Promise<Quire> {
  const { log, stopping } = options
  const closing = createClosing(log)
  // Added first, so that it is closed last and can report errors from closing the rest.
  closing.add('The error reports', options.reports.flush)
  try {
    const { settings } = config
    const tallies = settings['metrics.enabled']
      ? createRequestMetrics(settings['log.slowRequestMs'])
      : undefined
    const opened = await openServices(config, {
      ...options,
      report: options.reports.report,
      closing,
      observe: tallies?.onCommand,
    })
    stopping?.throwIfAborted()
    await applyAtStart(config, log, opened.configuration)
    const { port, routes } = await serve(config, opened, { ...options, closing, tallies })
    if (config.mongodbUri === undefined) {
      await recordService(config.dataDir, `http://${ownAddress(config.host)}:${port}`)
      closing.add('The record of its address', () => forgetService(config.dataDir))
    }
    return Object.freeze({
      url: `http://${hostName(config.host)}:${port}`,
      port,
      services: opened.services,
      access: opened.access,
      admission: opened.http.admission,
      routes,
      stop: closing.closeAll,
    })
  } catch (error) {
    await closing.closeAll()
    if (stopping?.aborted === true) log.info('Quire has stopped during its start')
    throw error
  }
}

type Serving = Pick<Start, 'log' | 'reports' | 'follow' | 'loading'> &
  Readonly<{ closing: Closing; tallies: RequestMetrics | undefined }>

async function serve(
  config: Config,
  { services, http, measured, sketch, ...features }: OpenServices,
  { log, reports, closing, tallies, follow, loading }: Serving,
): Promise<Readonly<{ port: number; routes: readonly Route[] }>> {
  const { settings, host } = config
  const { path: tempDir, remove } = await makeTempFolder(config.dataDir)
  closing.add('The temporary folder of uploads', remove)
  const reference = documentationAccess(config)
  let stopping = false
  const health = healthRoutes({
    pingDatabase: () => services.db.command({ ping: 1 }),
    closing: () => stopping,
    loading,
    reference,
  })
  const tracing = await openTracing()
  if (tracing !== undefined) closing.add('The traces', tracing.flush)
  const slowMs = settings['log.slowRequestMs']
  const observers =
    slowMs === 0
      ? []
      : [logSlowRequests({ log, slowMs, sketch: (plan) => sketch(plan as ReadPlan) })]
  const metricRoutes: Route[] = []
  if (tallies !== undefined) {
    observers.unshift(tallies.onRequest)
    // Do not `await` anything between opening the metrics port and creating `server`: a request for metrics uses
    // `server`.
    const metrics = createMetrics(
      tallies,
      metricSources(measured, () => openConnections(server)),
    )
    const address = metricsAddress(config)
    if (address === undefined)
      metricRoutes.push(...metricsRoutes(metrics, settings['metrics.token']))
    else {
      const own = await serveMetrics(metrics, address)
      closing.add('The port of the metrics', () => closeMetrics(own))
    }
  }
  const { registry } = services
  const documents = keepDocuments({ registry, settings, project: config.package }, () => routes)
  const routes: readonly Route[] = [
    ...health,
    ...metricRoutes,
    ...features.routes,
    ...documentationRoutes(documents, reference),
    ...pageRoutes(),
  ]
  const app = createApp({
    ...http,
    access: loading === undefined ? http.access : untilLoaded(http.access, loading),
    settings,
    log,
    routes,
    tempDir,
    isServed: () => isServed(services.db.client),
    clock: servedClock(services.db.client),
    observers,
    failed: reportFailures(reports.report),
    follow: follow ?? tracing?.follow,
  })
  const server: Server = createHttpServer(settings, app, {
    maxOpenFiles: openFileLimit(),
    onFewFiles: (served) => log.error(tooFewForClients(served)),
  })
  await listen(server, config.port, host)
  closing.add('The HTTP server', () => {
    stopping = true
    return closeHttpServer(server, {
      delayMs: settings['http.shutdownDelayMs'],
      timeoutMs: settings['http.shutdownTimeoutMs'],
      graceMs: settings['http.shutdownGraceMs'],
    })
  })
  const { port } = server.address() as AddressInfo
  return { port, routes }
}

/** Returns an `Access` that rejects requests without credentials while content is being loaded. */
function untilLoaded(access: Access, loading: () => string | undefined): Access {
  return {
    ...access,
    authorize: async (guard, headers) => {
      const reason = headers.authorization === undefined ? loading() : undefined
      if (reason !== undefined) throw notReady(reason)
      return access.authorize(guard, headers)
    },
  }
}

function documentationAccess({ settings, production }: Config): DocumentationAccess {
  const access = settings['documentation.access']
  if (access !== 'auto') return access
  return production ? 'admins' : 'public'
}

/**
 * Returns the address at which this machine reaches the service. Not `localhost`, which may mean `::1`, where another
 * process may use the same port.
 */
function ownAddress(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '[::1]' : hostName(host)
}

/** Returns the host to show in a URL for a browser on this machine. */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
