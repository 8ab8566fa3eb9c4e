import type { Db } from 'mongodb'
import type { ContentType, Status } from './schema/content-type.js'
import type { Grant } from './schema/grant.js'
import type { Registry } from './schema/registry.js'

/** What every write needs to know beside its own request. */
export type WriteContext = Readonly<{
  registry: Registry
  db: Db
  grant: Grant
  /** documentId of the admin user whose writes these are, for `createdBy` and `updatedBy`; null for none. */
  actor: string | null
  /** The configured locales' codes, and the default among them. */
  locales: ReadonlySet<string>
  defaultLocale: string
}>

/** Which version a write addresses; what the query string of a POST, PUT or DELETE said. */
export type WriteScope = Readonly<{
  status: Status
  /** As sent; undefined = the default locale; ignored on types that are not localized. */
  locale?: string | undefined
}>

/** The version that was written, to be read back through the read path. */
export type Written = Readonly<{
  documentId: string
  /** The record id of the version of the request's status. */
  id: number
  locale: string | null
  status: Status
  revision: number
}>

/** `POST`: creates a document; `data` is the untrusted value of the body's `data`. */
export declare function createDocument(
  context: WriteContext,
  type: ContentType,
  scope: WriteScope,
  data: unknown,
): Promise<Written>
