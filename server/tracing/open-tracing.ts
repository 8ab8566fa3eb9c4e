import type { Tracing } from './trace-requests.js'

/** Key of the global registrations that all copies of OpenTelemetry's API, version 1, share. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** Loads the API and starts tracing if an OpenTelemetry SDK is registered, for example by `node --import`. */
export async function openTracing(): Promise<Tracing | undefined> {
  if (!(registered in globalThis)) return undefined
  const { traceRequests } = await import('./trace-requests.js')
  return traceRequests()
}
