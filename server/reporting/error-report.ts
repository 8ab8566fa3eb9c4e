/** An unhandled error, as reported to the service's operators. This file contains only types. */
export type ErrorReport = Readonly<{
  error: unknown
  /** Where the error happened: `request`, `start`, `process`, `worker thread`. */
  in: string
  /** A description by the service, without data from a request; default: the result of `safeMessage`. */
  message?: string
  /** Whether the error ends the process. */
  isFatal?: boolean
  request?: FailedRequest
}>

/** The request that failed, without its body, headers and query string. */
export type FailedRequest = Readonly<{
  id: string
  traceId?: string | undefined
  method: string
  /** Pattern of the matched route, such as `/api/:type/:documentId`; undefined if no route matched. */
  route: string | undefined
  /** Uid of the content-type. */
  type?: string | undefined
  status: number
}>

export type ReportError = (report: ErrorReport) => void
