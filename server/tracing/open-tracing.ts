import type { Tracing } from './trace-requests.js'

/** Symbol of the global object in which all copies of OpenTelemetry's API, version 1, share their registrations. */
const registered = Symbol.for('opentelemetry.js.api.1')

/**
 * Starts tracing requests if an OpenTelemetry SDK is registered, for example by `node --import`. Otherwise the API is
 * not even loaded.
 */
export async function openTracing(): Promise<Tracing | undefined> {
  if (!(registered in globalThis)) return undefined
  const { traceRequests } = await import('./trace-requests.js')
  return traceRequests()
}
