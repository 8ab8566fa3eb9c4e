import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Registry } from '../engine/schema/registry.js'
import type { Documents } from './content/documents.js'
import type { Settings } from './settings/settings.js'

/** The services that every feature receives, and its only access to other features. */
export type Services = Readonly<{
  settings: Settings
  log: Logger
  db: Db
  /** Returns the current registry, which changes with the definitions. Call this for every request. */
  registry: () => Registry
  documents: Documents
  locales: () => LocaleSet
}>

export type LocaleSet = Readonly<{
  codes: ReadonlySet<string>
  default: string
  /** For each locale with fallbacks: the locale itself, then its fallbacks in order. */
  chains: ReadonlyMap<string, readonly string[]>
}>
