import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Registry } from '../../engine/schema/registry.js'
import type { Documents } from '../content/documents.js'
import type { Settings } from '../settings/settings.js'

/** What every feature is given. Features know each other only through what is named here. */
export type Services = Readonly<{
  settings: Settings
  log: Logger
  db: Db
  /** The live snapshot: ask again for every request, never keep it. */
  registry: () => Registry
  documents: Documents
  /** The configured locales, live. */
  locales: () => LocaleSet
}>

export type LocaleSet = Readonly<{
  codes: ReadonlySet<string>
  default: string
  /** Of locales that name others: themselves and those that they fall back to, in that order. */
  chains: ReadonlyMap<string, readonly string[]>
}>
