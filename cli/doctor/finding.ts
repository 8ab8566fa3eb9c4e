/**
 * A result of `quire doctor`. A `problem` keeps the service from starting, a `warning` does not. A check that failed
 * could not be made, so that it is not known; one that is `unknown` was not to be made.
 */
export type Finding = Readonly<{
  check: CheckName
  state: 'ok' | 'warning' | 'problem' | 'failed' | 'unknown'
  /** What there is, or what is wrong and what to do. */
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

/** What one look finds. */
export type Found = readonly Omit<Finding, 'check'>[]

export const ok = (says: string): Found => [{ state: 'ok', says }]
export const warning = (says: string): Found => [{ state: 'warning', says }]
export const failed = (says: string): Found => [{ state: 'failed', says }]
export const unknown = (says: string): Found => [{ state: 'unknown', says }]
export const problem = (says: string): Found => [{ state: 'problem', says }]
