import { closeMetrics, serveMetrics } from '../metrics/serve-metrics.js'
import { createMetrics } from '../metrics/create-metrics.js'
import { metricsRoute } from '../metrics/metrics-route.js'
import type { Sources } from '../metrics/metrics-table.js'
import type { Tallies } from '../metrics/tallies.js'
import { createTallies } from '../metrics/tallies.js'
import type { Route } from '../http/route.js'
import type { Config } from '../settings/config.js'
import type { Closing } from './closing.js'

/** What is counted from the start on; undefined where nobody asks for metrics. */
export function openTallies({ settings }: Config): Tallies | undefined {
  return settings['metrics.enabled'] ? createTallies(settings['log.slowRequestMs']) : undefined
}

/**
 * Makes `/metrics`: a route of the API's port, or a server of its own, which is added to `closing`.
 * @throws where its port cannot be had
 */
export async function openMetrics(
  { settings, host }: Config,
  { tallies, sources }: Readonly<{ tallies: Tallies | undefined; sources: Sources }>,
  closing: Closing,
): Promise<readonly Route[]> {
  if (tallies === undefined) return []
  const metrics = createMetrics(tallies, sources)
  const port = settings['metrics.port']
  if (port === 0) return [metricsRoute(metrics, settings['metrics.token'])]
  const server = await serveMetrics(metrics, { port, host: settings['metrics.host'] || host })
  closing.add('The port of metrics', () => closeMetrics(server))
  return []
}
