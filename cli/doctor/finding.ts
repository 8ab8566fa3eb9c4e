/**
 * A result of `quire doctor`. A `problem` prevents the start, a `warning` does not. `failed`: the check itself failed,
 * so the result is unknown. `unknown`: the check was skipped, for example without credentials.
 */
export type Finding = Readonly<{
  check: CheckName
  state: 'ok' | 'warning' | 'problem' | 'failed' | 'unknown'
  /** The state, or what is wrong and what to do. */
  says: string
}>

export type CheckName =
  | 'node'
  | 'packages'
  | 'settings'
  | 'secrets'
  | 'definitions'
  | 'data folder'
  | 'port'
  | 'database'
  | 'content'

/** The results of one check. */
export type Found = readonly Omit<Finding, 'check'>[]

export const ok = (says: string): Found => [{ state: 'ok', says }]
export const warning = (says: string): Found => [{ state: 'warning', says }]
export const failed = (says: string): Found => [{ state: 'failed', says }]
export const unknown = (says: string): Found => [{ state: 'unknown', says }]
export const problem = (says: string): Found => [{ state: 'problem', says }]
