import type { Tracing } from './trace-requests.js'

/** The symbol under which every copy of OpenTelemetry's API, version 1, keeps its registrations. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** Traces requests if an SDK was registered before (`node --import`). Otherwise the API is not even loaded. */
export async function openTracing(): Promise<Tracing | undefined> {
  if (!(registered in globalThis)) return undefined
  const { traceRequests } = await import('./trace-requests.js')
  return traceRequests()
}
