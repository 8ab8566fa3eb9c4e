/** Why a database did not start: only `other` may change by trying again at once. */
export type EngineFailureReason = 'in-use' | 'unsupported' | 'refused' | 'other'

/** The database's process ended before it was ready. */
export class EngineStartError extends Error {
  readonly reason: EngineFailureReason
  /** Whether it was ended by SIGKILL. */
  readonly wasKilled: boolean

  constructor(reason: EngineFailureReason, message: string, wasKilled = false) {
    super(message)
    this.reason = reason
    this.wasKilled = wasKilled
  }
}
