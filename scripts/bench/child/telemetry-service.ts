/**
 * A service in which each request says what is measured of it (`telemetries.ts`). What the compiler made of its code,
 * and how it lies in memory, is then the same for all of them: between two processes that makes a tenth of a request,
 * and between two services of one process still some hundredths.
 */
import { observeCommands, type CommandObserver } from '../../../engine/database/sent-commands.js'
import { tellSlowRequests } from '../../../server/http/slow-requests.js'
import type { FollowRequest, RequestObserver } from '../../../server/http/watch-requests.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { createLog } from '../../../server/lifecycle/create-log.js'
import { createMetrics } from '../../../server/metrics/create-metrics.js'
import { gathered, type GatheredName } from '../../../server/metrics/metrics-table.js'
import { createTallies } from '../../../server/metrics/tallies.js'
import { loadConfig } from '../../../server/settings/config.js'
import { openTracing } from '../../../server/tracing/open-tracing.js'
import { telemetryHeader, type Telemetry } from '../telemetries.js'

const config = loadConfig(process.env)
const { settings } = config
const slowMs = settings['log.slowRequestMs']
const tallies = createTallies(slowMs)
const slow = tellSlowRequests({
  log: createLog(settings['log.level']),
  ...{ slowMs, sketch: (plan) => plan },
})

type Told = Readonly<{ follow: FollowRequest; onCommand?: CommandObserver }>

const nobody: Told = { follow: () => undefined }
const always =
  (observe: RequestObserver): FollowRequest =>
  () =>
    observe
const both =
  (observe: RequestObserver): RequestObserver =>
  (seen) => {
    slow(seen)
    observe(seen)
  }
const told = new Map<Telemetry, Told>([
  ['log of slow requests (default)', { follow: always(slow) }],
  [
    'default and metrics',
    { follow: always(both(tallies.onRequest)), onCommand: tallies.onCommand },
  ],
])

/** They come in blocks: who is told of commands changes with the first of a block. */
let current = ''
const quire = await startQuire(
  { ...config, settings: { ...settings, 'log.slowRequestMs': 0 } },
  {
    follow: (request) => {
      const asked = String(request.headers[telemetryHeader])
      const { follow, onCommand } = told.get(asked as Telemetry) ?? nobody
      if (asked !== current) observeCommands(quire.services.db.client, onCommand)
      current = asked
      return follow(request)
    },
  },
)

process.once('SIGTERM', () => void quire.stop().finally(() => process.exit()))

// After the start, which would follow every request where there is an SDK.
await import('./tracing.js')
const tracing = await openTracing()
if (tracing === undefined) throw new Error('There is no SDK of traces to measure')
told.set('default and traces, 1 % sampled', {
  follow: (request) => {
    const observe = tracing.follow(request)
    return observe === undefined ? slow : both(observe)
  },
})

const nothingGathered = Object.fromEntries(
  Object.keys(gathered).map((name) => [name, () => undefined]),
) as Readonly<Record<GatheredName, () => undefined>>
const metrics = createMetrics(tallies, nothingGathered)
const tickMs = 100
let measuredMs = 0
// As often as Prometheus asks by default, of the time in which metrics are what is measured.
setInterval(() => {
  if (current === 'default and metrics') measuredMs += tickMs
  if (measuredMs < 15_000) return
  measuredMs = 0
  void metrics.text()
}, tickMs).unref()
