/** An unhandled error, as it is reported to the service's operators. Types only. */
export type ErrorReport = Readonly<{
  error: unknown
  /** Where it happened: `request`, `start`, `process`, `worker thread`. */
  in: string
  /** Our own description, without data of a request; default: the result of `safeMessage`. */
  message?: string
  /** Whether it ends the process. */
  isFatal?: boolean
  request?: FailedRequest
}>

/** The request in which it happened, without its body, headers and query string. */
export type FailedRequest = Readonly<{
  id: string
  traceId?: string | undefined
  method: string
  /** `/api/:type/:documentId`; undefined if none matched. */
  route: string | undefined
  /** Uid of the content-type. */
  type?: string | undefined
  status: number
}>

export type ReportError = (report: ErrorReport) => void
