import type { Db } from 'mongodb'
import type { PatternChecker } from '../patterns/pattern-check.js'
import type { Grant } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import type { PrivateFiles } from './change/store-address.js'
import type { Timeline } from '../timeline.js'
import type { WriteJournal } from './execute/record-in-flight.js'
import type { AgreedDrafts } from './execute/take-off-marks.js'
import type { WriteTime } from '../write-time.js'
import type { ContentType } from '../schema/content-type.js'
import type { Repeated, Unwritable } from './body/keys.js'
import type { Body } from './body/read-body.js'
import { notDone } from '../errors.js'

/** What all writes need apart from the request itself. */
export type WriteContext = Readonly<{
  registry: Registry
  /** Content-types whose entries are being converted. The registry of a request may be outdated. */
  locked?: Registry['locked']
  db: Db
  grant: Grant
  /** documentId of the admin user for `createdBy` and `updatedBy`. */
  actor: string | null
  /** Codes of all configured locales, including `defaultLocale`. */
  locales: ReadonlySet<string>
  defaultLocale: string
  /** Runs slow regular expressions in another thread. If undefined, strings that need one are rejected. */
  checkPatterns?: PatternChecker | undefined
  /**
   * Called before a write in a locale, and again before the write is acknowledged. Undefined if locales cannot be
   * deleted.
   */
  holdsLocale?: HoldsLocale | undefined
  /**
   * Milliseconds after which a publish by another process counts as interrupted. 0 = no other process writes to this
   * database, so all writes of a document wait in the queue of this process.
   */
  publishingMs?: number | undefined
  /** Whether each write is one transaction, if possible (docs/internals/storage.md, "Transactions"). */
  transactions?: boolean | undefined
  /** Creates the progress record, which says what a write may leave incomplete. If undefined, nothing is recorded. */
  journal?: WriteJournal | undefined
  /**
   * Called for superfluous `_modified` marks (docs/internals/storage.md, "Modified drafts"). If undefined, they stay.
   */
  agreed?: AgreedDrafts | undefined
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
  /** Called for each key that contradicts a query parameter (`data.locale`). If undefined, such keys are rejected. */
  ignored?: ((path: string) => void) | undefined
  dryRun?: boolean | undefined
  /** Whether `required` applies to relations and media; default true. */
  requiredRelations?: boolean | undefined
  /** Whether to enforce `allowedTypes` of media attributes; default true. */
  enforceAllowedTypes?: boolean | undefined
  /** Whether to generate missing uids of new entries; default true. */
  generateUids?: boolean | undefined
  /** Set if the writer may not read private files. If undefined, file addresses only lose their signatures. */
  privateFiles?: PrivateFiles | undefined
}>

/** Whether a locale is configured and not about to be deleted. */
type HoldsLocale = (locale: string) => Promise<boolean>

/** A document to write in one locale. */
export type DocumentInput = WriteContext &
  Readonly<{ type: ContentType; documentId: string; locale: string | null }>

/** A document to save. Only the keys of its body have been checked. */
export type SaveInput = DocumentInput &
  Readonly<{
    /** Locale of localized targets and owners if the type itself is not localized. */
    targetLocale: string
    publish: boolean
    body: Body
    /** Keys that Quire sets itself. They may only repeat the stored values. */
    repeated: Repeated
    /** Values for attributes that are not writable. */
    unwritable?: readonly Unwritable[]
    ifRevision?: number | undefined
    /**
     * What must exist before the write. `new`: nothing, because the documentId was just generated. `nothing`: no
     * version of the document. `document`: a version in any locale. `version`: the draft in this locale. `anything`: no
     * requirement.
     */
    expects: 'new' | 'nothing' | 'document' | 'version' | 'anything'
  }>

/** Result of a write. */
export type Saved = Readonly<{
  id: number
  revision: number
  /** The version that the request refers to, as BSON. Undefined if it would have to be read first. */
  stored?: Uint8Array | undefined
}>

/** `Retry-After` in seconds. Arbitrary, because the duration of a conversion is unknown. */
const retryAfterS = 5

/** @throws 503 while the entries of the type are being converted (`quire schema apply`) */
export function refuseLocked(locked: Registry['locked'], uid: string): void {
  if (locked?.has(uid) === true)
    throw notDone(
      `The entries of ${uid} are being converted. Write to them after the conversion`,
      retryAfterS,
    )
}
