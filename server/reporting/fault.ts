/** Something that should not have happened: what is told of it to whoever looks after the service. Types only. */
export type Fault = Readonly<{
  error: unknown
  /** Where it happened: `request`, `start`, `process`, `worker thread`. */
  in: string
  /** What happened, in words of ours, which hold nothing of a request; default: what `toldMessage` makes of the error. */
  says?: string
  /** Whether the process ends by it. */
  isFatal?: boolean
  request?: FaultyRequest
}>

/** The request that met it: nothing of its body, its headers or its query string. */
export type FaultyRequest = Readonly<{
  id: string
  traceId?: string | undefined
  method: string
  /** `/api/:type/:documentId`; undefined where none was found. */
  route: string | undefined
  /** Uid of the content-type. */
  type?: string | undefined
  status: number
}>

export type ReportFault = (fault: Fault) => void
