import type { Db } from 'mongodb'
import type { PatternChecker } from '../patterns/pattern-check.js'
import type { Grant } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import type { PrivateFiles } from './change/store-address.js'
import type { Timeline } from '../timeline.js'
import type { WriteJournal } from './execute/record-in-flight.js'
import type { AgreedDrafts } from './execute/take-off-marks.js'
import type { WriteTime } from './write-time.js'

/** Input that all kinds of writes need, apart from the request itself. */
export type WriteContext = Readonly<{
  registry: Registry
  /**
   * Content-types whose entries are being converted at the moment. Passed separately, because the registry of a request
   * may be outdated.
   */
  locked?: Registry['locked']
  db: Db
  grant: Grant
  /** documentId of the admin user to store in `createdBy` and `updatedBy`; null if there is none. */
  actor: string | null
  /** Codes of all configured locales. `defaultLocale` is one of them. */
  locales: ReadonlySet<string>
  defaultLocale: string
  /** Runs slow regular expressions in another thread. If undefined, strings that need a slow check are rejected. */
  checkPatterns?: PatternChecker | undefined
  /**
   * Called before a write in a locale begins, and again before it is acknowledged. Undefined if locales cannot be
   * deleted.
   */
  holdsLocale?: HoldsLocale | undefined
  /**
   * Maximum duration of a publish by another process, in milliseconds. A publish that began longer ago counts as
   * interrupted. 0 means that no other process writes to this database: all writes of a document then wait in the queue
   * of this process.
   */
  publishingMs?: number | undefined
  /**
   * Whether to execute each write in one transaction, if the database supports transactions. If undefined, the steps
   * are always sent one by one (docs/internals/storage.md, "Transactions").
   */
  transactions?: boolean | undefined
  /**
   * Creates the progress record that is stored before a write begins, and that says what the write may leave
   * incomplete. If undefined, nothing is recorded.
   */
  journal?: WriteJournal | undefined
  /**
   * Called for drafts whose `_modified` mark can be removed (docs/internals/storage.md, "Modified drafts"). If undefined, the
   * marks stay.
   */
  agreed?: AgreedDrafts | undefined
  /** Time limit of the write; undefined = none. */
  time?: WriteTime | undefined
  /** Measures the duration of each stage; undefined = not measured. */
  timeline?: Timeline | undefined
  /**
   * Called for each key of a body that contradicts a query parameter (`data.locale`). If undefined, such keys are
   * rejected.
   */
  ignored?: ((path: string) => void) | undefined
  /** Whether to only validate the body, without writing anything. */
  dryRun?: boolean | undefined
  /** Whether `required` applies to relations and media; default true. */
  requiredRelations?: boolean | undefined
  /** Whether `allowedTypes` of media attributes is enforced; default true. */
  enforceAllowedTypes?: boolean | undefined
  /** Whether a write that creates an entry generates the uids that the body does not contain; default true. */
  generateUids?: boolean | undefined
  /**
   * Given if files are private and the writer may not read them. If undefined, file addresses are stored as sent,
   * without their signatures.
   */
  privateFiles?: PrivateFiles | undefined
}>

/** Whether a locale is configured, and not about to be deleted. */
type HoldsLocale = (locale: string) => Promise<boolean>
