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

const found =
  (state: Finding['state']) =>
  (says: string): Found => [{ state, says }]
export const ok = found('ok')
export const warning = found('warning')
export const failed = found('failed')
export const unknown = found('unknown')
export const problem = found('problem')
