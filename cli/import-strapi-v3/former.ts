import type { Db } from 'mongodb'
import type { Model } from './models/model.js'

/** A Strapi 3 as it is imported from. */
export type Former = Readonly<{
  db: Db
  models: readonly Model[]
  /** By key: what it keeps in `core_store`. */
  settings: ReadonlyMap<string, unknown>
  defaultLocale: string
  /** The folder with its files (`public/uploads`); undefined where none was named. */
  uploads: string | undefined
}>
