import type { Tracing } from './trace-requests.js'

/** Where every copy of OpenTelemetry's API of version 1 keeps what is registered. */
const registered = Symbol.for('opentelemetry.js.api.1')

/** Traces requests where an SDK was registered before (`node --import`). Elsewhere the API is not even loaded. */
export async function openTracing(): Promise<Tracing | undefined> {
  if (!(registered in globalThis)) return undefined
  const { traceRequests } = await import('./trace-requests.js')
  return traceRequests()
}
