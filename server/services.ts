import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Registry } from '../engine/schema/registry.js'
import type { Documents } from './content/documents.js'
import type { Settings } from './settings/settings.js'

/** The services that every feature receives. A feature uses other features only through these members. */
export type Services = Readonly<{
  settings: Settings
  log: Logger
  db: Db
  /**
   * Returns the current registry. Call it for every request, because the registry is replaced when definitions change.
   */
  registry: () => Registry
  documents: Documents
  /** Returns the locales that are configured at the time of the call. */
  locales: () => LocaleSet
}>

export type LocaleSet = Readonly<{
  codes: ReadonlySet<string>
  default: string
  /** For each locale that has fallbacks: the locale itself, followed by its fallbacks in order. */
  chains: ReadonlyMap<string, readonly string[]>
}>
