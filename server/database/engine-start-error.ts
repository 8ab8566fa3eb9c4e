/** An immediate retry can succeed only after `other`. */
export type EngineFailureReason = 'in-use' | 'unsupported' | 'refused' | 'other'

/** A database did not start. */
export class EngineStartError extends Error {
  readonly reason: EngineFailureReason
  readonly wasKilled: boolean

  constructor(reason: EngineFailureReason, message: string, wasKilled = false) {
    super(message)
    this.reason = reason
    this.wasKilled = wasKilled
  }
}
