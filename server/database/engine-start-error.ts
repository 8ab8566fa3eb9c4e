/** Only after `other` can an immediate retry succeed. */
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
