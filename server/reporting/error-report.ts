/** An unhandled error, as it is reported to the service's operators. Types only. */
export type ErrorReport = Readonly<{
  error: unknown
  /** Where the error happened: `request`, `start`, `process`, `worker thread`. */
  in: string
  /** A description by the service, without data of a request; default: the result of `safeMessage`. */
  message?: string
  /** Whether the error ends the process. */
  isFatal?: boolean
  request?: FailedRequest
}>

/** The request in which the error happened, without its body, headers and query string. */
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
