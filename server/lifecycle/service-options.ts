import type { Logger } from 'pino'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import type { LiveLevel } from '../logging/live-level.js'
import type { ReportError } from '../reporting/error-report.js'
import type { Closing } from './closing.js'

/** Options of opening a service, in addition to its configuration. */
export type ServiceOptions = Readonly<{
  log: Logger
  level: LiveLevel
  /** Reports what died outside of requests. */
  report: ReportError
  closing: Closing
  /** Default: all built-in ones. */
  providers?: ProviderTable | undefined
  /** Called for every command sent to the database. */
  observe?: CommandObserver | undefined
  /** Stops the opening between two of its steps. */
  stopping?: AbortSignal | undefined
}>
