import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Registry } from '../engine/schema/registry.js'
import type { Documents } from './content/documents.js'
import type { Settings } from './settings/settings.js'

/** What every feature gets. Features know each other only through these members. */
export type Services = Readonly<{
  settings: Settings
  log: Logger
  db: Db
  /** Returns the live snapshot. Call it for every request; do not keep the result. */
  registry: () => Registry
  documents: Documents
  /** The configured locales, live. */
  locales: () => LocaleSet
}>

export type LocaleSet = Readonly<{
  codes: ReadonlySet<string>
  default: string
  /** For locales with fallbacks: the locale itself, then its fallbacks in order. */
  chains: ReadonlyMap<string, readonly string[]>
}>
