import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Admission } from '../../workers/admission.js'
import { isServed } from '../../engine/database/watch-servers.js'
import { isElection } from '../../engine/errors/database-errors.js'
import { createApp } from './app.js'
import type { AccessControl } from '../accounts/access-control.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import { createLog } from './create-log.js'
import { createClosing, type Closing } from './closing.js'
import type { Config } from '../settings/config.js'
import { explainDenied } from '../database/check-server.js'
import { openFileLimit, tooFewForClients } from '../database/descriptors.js'
import { makeTempFolder } from '../database/temp-folder.js'
import { healthRoutes } from '../health/routes.js'
import { closeHttpServer, createHttpServer, openConnections } from '../http/create-server.js'
import { listen } from '../http/listen.js'
import type { Route } from '../http/route.js'
import type { ReportFault } from '../reporting/fault.js'
import { openTracing } from '../tracing/open-tracing.js'
import { reportFailures } from '../reporting/report-failures.js'
import { openFaultReports, type FaultReports } from '../reporting/open-fault-reports.js'
import { createLiveLevel, type LiveLevel } from '../logging/live-level.js'
import type { ReadPlan } from '../../engine/read.js'
import { tellSlowRequests } from '../http/slow-requests.js'
import type { FollowRequest, RequestObserver } from '../http/watch-requests.js'
import type { Tallies } from '../metrics/tallies.js'
import { metricSources } from './metric-sources.js'
import { applyAtStart } from './open-configuration.js'
import { openDocumentation } from './open-documentation.js'
import { openMetrics, openTallies } from './open-metrics.js'
import { openServices, type OpenServices } from './open-services.js'
import type { Services } from './services.js'

/** A running service. */
export type Quire = Readonly<{
  /** Where it can be reached from this machine: `http://localhost:1337`. */
  url: string
  port: number
  services: Services
  /** Tokens, admins and roles, for scripts and tests that need no HTTP for them. */
  access: AccessControl
  /** What waits for its turn, and what was refused. */
  admission: Admission
  /** Every route; what `/api` serves besides is by content-type. */
  routes: readonly Route[]
  /** Lets requests in flight finish within `http.shutdownTimeoutMs`, then closes everything. Can be called again. */
  stop: () => Promise<void>
}>

export type StartOptions = Readonly<{
  /** Default: JSON lines on standard output, from `log.level` up. */
  log?: Logger
  /** Of that log; default: made for it. */
  level?: LiveLevel
  /** Default: opened for it, by the settings. */
  reports?: FaultReports
  /** What is known of providers of logins; default: all that there are. */
  providers?: ProviderTable | undefined
  /** Chooses requests that it wants to be told of when they are over, instead of an SDK of traces. */
  follow?: FollowRequest | undefined
  /** Ends a start that is under way; a service that runs is stopped by `stop`. */
  stopping?: AbortSignal | undefined
}>

/** How often a start begins that meets elections, and the pause between two, in ms. */
const maxStarts = 5
const pauseMs = 1_000

/**
 * Opens the database and the services, and listens. What was opened is closed again where the start fails, or is ended.
 * One that meets an election begins again: much of what it does (making indexes, above all) is repeated by nobody else.
 */
export async function startQuire(config: Config, options: StartOptions = {}): Promise<Quire> {
  const log = options.log ?? createLog(config.settings['log.level'])
  const level = options.level ?? createLiveLevel(log)
  const { settings, production } = config
  const reports = options.reports ?? openFaultReports({ settings, production, log })
  for (let starts = 1; ; starts += 1)
    try {
      return await startOnce(config, { ...options, log, level, reports })
    } catch (err) {
      if (!isElection(err) || starts === maxStarts || options.stopping?.aborted === true)
        throw explainDenied(err)
      log.warn({ err }, 'The database elected another primary meanwhile: the start begins again')
      await sleep(pauseMs)
    }
}

type Start = Omit<StartOptions, 'log' | 'level' | 'reports'> &
  Readonly<Required<Pick<StartOptions, 'log' | 'level' | 'reports'>>>

async function startOnce(
  config: Config,
  { log, level, reports, providers, follow, stopping }: Start,
): Promise<Quire> {
  const { report } = reports
  const closing = createClosing(log)
  // The last to be closed: what fails on the way is reported, too.
  closing.add('The reports of faults', reports.flush)
  try {
    const tallies = openTallies(config)
    const observe = tallies?.onCommand
    const opened = await openServices(config, {
      log,
      level,
      report,
      closing,
      providers,
      stopping,
      observe,
    })
    stopping?.throwIfAborted()
    await applyAtStart(config, opened.services, opened.configuration)
    const { server, routes } = await serve(config, opened, {
      log,
      report,
      closing,
      tallies,
      follow,
    })
    const { port } = server.address() as AddressInfo
    return Object.freeze({
      url: `http://${hostName(config.host)}:${port}`,
      port,
      services: opened.services,
      access: opened.access,
      admission: opened.admission,
      routes,
      stop: closing.closeAll,
    })
  } catch (error) {
    await closing.closeAll()
    if (stopping?.aborted === true) log.info('Quire has stopped during its start')
    throw error
  }
}

type Around = Readonly<{
  log: Logger
  report: ReportFault
  closing: Closing
  tallies: Tallies | undefined
  follow: FollowRequest | undefined
}>

async function serve(
  config: Config,
  { services, routes, measured, sketch, ...opened }: OpenServices,
  { log, report, closing, tallies, follow }: Around,
): Promise<Readonly<{ server: Server; routes: readonly Route[] }>> {
  const { host, port, dataDir, settings } = config
  const { path: tempDir, remove } = await makeTempFolder(dataDir)
  closing.add('The folder of uploads', remove)
  let stopping = false
  const health = healthRoutes({
    pingDatabase: () => services.db.command({ ping: 1 }),
    closing: () => stopping,
  })
  const tracing = await openTracing()
  if (tracing !== undefined) closing.add('The traces', tracing.flush)
  // Nothing is waited for between the port of metrics and the server: who scrapes asks for its connections.
  const sources = metricSources(measured, () => openConnections(server))
  const metrics = await openMetrics(config, { tallies, sources }, closing)
  const documentation = openDocumentation(config, services, () => all)
  const all: readonly Route[] = [...health, ...metrics, ...routes, ...documentation]
  const app = createApp({
    ...opened,
    settings,
    log,
    routes: all,
    tempDir,
    isServed: () => isServed(services.db.client),
    observers: observersOf(config, { log, tallies, sketch }),
    failed: reportFailures(report),
    follow: follow ?? tracing?.follow,
  })
  const server: Server = createHttpServer(settings, app, {
    maxOpenFiles: openFileLimit(),
    onFewFiles: (served) => log.error(tooFewForClients(served)),
  })
  await listen(server, port, host)
  closing.add('The HTTP server', () => {
    stopping = true
    return closeHttpServer(server, {
      delayMs: settings['http.shutdownDelayMs'],
      timeoutMs: settings['http.shutdownTimeoutMs'],
      graceMs: settings['http.shutdownGraceMs'],
    })
  })
  return { server, routes: all }
}

type Observing = Pick<Around, 'log' | 'tallies'> & Pick<OpenServices, 'sketch'>

/** Who is told of every request. */
function observersOf(
  { settings }: Config,
  { log, tallies, sketch }: Observing,
): readonly RequestObserver[] {
  const slowMs = settings['log.slowRequestMs']
  const slow = tellSlowRequests({
    log,
    slowMs,
    sketch: (plan) => sketch(plan as ReadPlan),
  })
  return [...(tallies === undefined ? [] : [tallies.onRequest]), ...(slowMs === 0 ? [] : [slow])]
}

/** How a browser of this machine writes the address that is listened on. */
function hostName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
