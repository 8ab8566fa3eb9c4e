import type { Logger } from 'pino'
import type { CommandObserver } from '../../engine/database/sent-commands.js'
import type { ProviderTable } from '../accounts/providers/provider-table.js'
import type { Closing } from './closing.js'
import type { ReportFault } from '../reporting/fault.js'
import type { LiveLevel } from '../logging/live-level.js'

/** What a service is opened with beside its configuration. */
export type Surroundings = Readonly<{
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

/** How long work in the background may take to stop; whoever comes next goes on with it. In milliseconds. */
export const backgroundMs = 5000
