/**
 * Whether this process can serve: nothing is listened on before the schema is loaded (docs/decisions.md,
 * "Probes and the start page").
 */
export type Probes = Readonly<{
  /** A round trip to the database. */
  pingDatabase: () => Promise<unknown>
  /** Whether the service is shutting down, so that nothing new should be sent to it. */
  closing: () => boolean
}>
