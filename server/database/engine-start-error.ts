/** Why a database did not start. An immediate retry helps only for `other`. */
export type EngineFailureReason = 'in-use' | 'unsupported' | 'refused' | 'other'

/** The database's process ended before it was ready. */
export class EngineStartError extends Error {
  readonly reason: EngineFailureReason
  /** Whether SIGKILL ended it. */
  readonly wasKilled: boolean

  constructor(reason: EngineFailureReason, message: string, wasKilled = false) {
    super(message)
    this.reason = reason
    this.wasKilled = wasKilled
  }
}
