/** An unhandled error, for the operators. */
export type ErrorReport = Readonly<{
  error: unknown
  /** Where the error happened: `request`, `start`, `process`, `worker thread`. */
  in: string
  /** A message without data from a request; default: the result of `safeMessage`. */
  message?: string
  isFatal?: boolean
  request?: FailedRequest
}>

/** A failed request without body, headers and query string. */
export type FailedRequest = Readonly<{
  id: string
  traceId?: string | undefined
  method: string
  /** Pattern of the route, such as `/api/:type/:documentId`; undefined if none matched. */
  route: string | undefined
  type?: string | undefined
  status: number
}>

export type ReportError = (report: ErrorReport) => void
