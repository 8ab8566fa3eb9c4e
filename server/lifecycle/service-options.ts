import type { Logger } from 'pino'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import type { LiveLevel } from '../logging/live-level.js'
import type { ReportError } from '../reporting/error-report.js'
import type { Closing } from './closing.js'

/** Options for opening the services, in addition to the configuration. */
export type ServiceOptions = Readonly<{
  log: Logger
  level: LiveLevel
  /** Reports errors that do not belong to a request. */
  report: ReportError
  closing: Closing
  /** Login providers; default: all built-in ones. */
  providers?: ProviderTable | undefined
  /** Called for every command sent to the database. */
  observe?: CommandObserver | undefined
  /** When aborted, opening the services stops after the current step. */
  stopping?: AbortSignal | undefined
}>
