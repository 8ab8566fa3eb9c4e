/**
 * The id of the trace that a request belongs to, by its `traceparent` (W3C Trace Context, 3.2):
 * `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. Undefined where there is none, or none that is valid.
 */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined || traceparent.length > maxLength) return undefined
  const { version, trace, rest } = form.exec(traceparent)?.groups ?? {}
  // Later versions may say more behind what this one has.
  return version === '00' && rest !== '' ? undefined : trace
}

/** Of this version 55; nobody needs to say much more. */
const maxLength = 256

/** Neither id is zero, and there is no version `ff`. */
const form =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0+-)(?<trace>[\da-f]{32})-(?!0+-)[\da-f]{16}-[\da-f]{2}(?<rest>$|-.*$)/
