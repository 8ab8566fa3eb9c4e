/**
 * A result of `quire doctor`. Only a `problem` prevents the service from starting. `failed` means that the check itself
 * failed, `unknown` that it was skipped, for example for lack of credentials.
 */
export type Finding = Readonly<{
  check: CheckName
  state: 'ok' | 'warning' | 'problem' | 'failed' | 'unknown'
  /** The message. For a problem, it also says how to correct it. */
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
