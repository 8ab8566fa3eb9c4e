/** Why a database did not start. An immediate retry can succeed only for `other`. */
export type EngineFailureReason = 'in-use' | 'unsupported' | 'refused' | 'other'

/** Thrown if a database did not start. */
export class EngineStartError extends Error {
  readonly reason: EngineFailureReason
  /** Whether SIGKILL ended the database's process. */
  readonly wasKilled: boolean

  constructor(reason: EngineFailureReason, message: string, wasKilled = false) {
    super(message)
    this.reason = reason
    this.wasKilled = wasKilled
  }
}
