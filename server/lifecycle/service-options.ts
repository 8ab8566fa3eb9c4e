import type { Logger } from 'pino'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import type { LiveLevel } from '../logging/live-level.js'
import type { ReportFault } from '../reporting/fault.js'
import type { Closing } from './closing.js'

/** What a service is opened with beside its configuration. */
export type ServiceOptions = Readonly<{
  log: Logger
  level: LiveLevel
  /** To be told of what died beside requests. */
  report: ReportFault
  closing: Closing
  /** Default: all that there are. */
  providers?: ProviderTable | undefined
  /** Told of every command that is sent to the database. */
  observe?: CommandObserver | undefined
  /** Ends the opening between two of its steps. */
  stopping?: AbortSignal | undefined
}>
