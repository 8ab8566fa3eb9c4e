/**
 * Returns the trace id in a `traceparent` header (W3C Trace Context, 3.2), or undefined if it is absent or invalid:
 * `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
 */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined || traceparent.length > maxLength) return undefined
  const { version, trace, rest } = form.exec(traceparent)?.groups ?? {}
  // Only versions after 00 may append further fields.
  return version === '00' && rest !== '' ? undefined : trace
}

/** A header of version 00 has 55 characters; later versions should not be much longer. */
const maxLength = 256

/** Neither id may be zero, and version `ff` is invalid. */
const form =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0+-)(?<trace>[\da-f]{32})-(?!0+-)[\da-f]{16}-[\da-f]{2}(?<rest>$|-.*$)/
