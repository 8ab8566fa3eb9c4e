/** Whether this process can serve: each probe rejects, or says no, when it cannot. */
export type Probes = Readonly<{
  /** A round trip to the database. */
  pingDatabase: () => Promise<unknown>
  /** Whether the content-types have been read. */
  schemaLoaded: () => boolean
  /** Whether the service is shutting down, so that nothing new should be sent to it. */
  closing: () => boolean
}>
