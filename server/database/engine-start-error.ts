/** Why a database did not start: only `other` may change by trying again at once. */
export type EngineFailureReason = 'in-use' | 'unsupported' | 'refused' | 'other'

/** The database's process ended before it was ready. */
export class EngineStartError extends Error {
  readonly reason: EngineFailureReason

  constructor(reason: EngineFailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}
