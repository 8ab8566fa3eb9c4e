import type { Db } from 'mongodb'
import type { PatternChecker } from '../patterns/pattern-check.js'
import type { Grant } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import type { PrivateFiles } from './change/store-address.js'
import type { Timeline } from '../timeline.js'
import type { UnderwayLog } from './steps/record-underway.js'
import type { AgreedDrafts } from './steps/take-off-marks.js'
import type { WriteTime } from './write-time.js'

/** What every write needs to know beside its own request. */
export type WriteContext = Readonly<{
  registry: Registry
  /** Types whose entries are being converted now. The registry of a request may be from before that. */
  locked?: Registry['locked']
  db: Db
  grant: Grant
  /** documentId of the admin user whose writes these are, for `createdBy` and `updatedBy`; null for none. */
  actor: string | null
  /** The configured locales' codes, and the default among them. */
  locales: ReadonlySet<string>
  defaultLocale: string
  /** For patterns that may take long; default: what they would have to be asked about is refused. */
  checkPatterns?: PatternChecker | undefined
  /** Asked before a write in a locale begins and before it is acknowledged; absent = every configured one is there to stay. */
  holdsLocale?: HoldsLocale | undefined
  /**
   * How long a publish of another process may be under way, in milliseconds; one that was begun before was cut off.
   * 0 where no other process writes to this database: the queue of a document has waited for those of this one.
   */
  publishingMs?: number | undefined
  /**
   * Whether a write is one transaction where the database has them; absent = its steps go one by one everywhere
   * (docs/storage.md, "One by one, or together").
   */
  transactions?: boolean | undefined
  /** Told what the write may leave half done, before it does; absent = nobody asks. */
  underway?: UnderwayLog | undefined
  /** Told of drafts whose marks can go (docs/storage.md, "Modified drafts"); absent = they stay. */
  agreed?: AgreedDrafts | undefined
  /** How long it may take; undefined = as long as it takes. */
  time?: WriteTime | undefined
  /** Told what took how long; absent = nothing is measured. */
  timeline?: Timeline | undefined
  /** Told of what a body says otherwise than a parameter (`data.locale`); absent = that is refused. */
  ignored?: ((path: string) => void) | undefined
  /** Whether a body is only looked at: everything that would refuse it does, and nothing is written. */
  dryRun?: boolean | undefined
  /** Whether `required` holds for relations and media; default true. */
  requiredRelations?: boolean | undefined
  /** Whether `allowedTypes` of media attributes is enforced; default true. */
  enforceAllowedTypes?: boolean | undefined
  /** Whether a create generates the uids that it leaves out; default true. */
  generateUids?: boolean | undefined
  /** Where files are private and the writer may not read them; absent = their addresses are stored as they come. */
  privateFiles?: PrivateFiles | undefined
}>

/** Whether a locale is configured, and not about to be deleted. */
type HoldsLocale = (locale: string) => Promise<boolean>
