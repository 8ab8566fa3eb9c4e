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
  report: ReportError
  closing: Closing
  providers?: ProviderTable | undefined
  observe?: CommandObserver | undefined
  /** If aborted, opening stops after the current step. */
  stopping?: AbortSignal | undefined
}>
