import type { Db } from 'mongodb'
import type { PatternChecker } from '../patterns/pattern-check.js'
import type { Grant } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import type { PrivateFiles } from './change/store-address.js'
import type { Timeline } from '../timeline.js'
import type { WriteJournal } from './execute/record-in-flight.js'
import type { AgreedDrafts } from './execute/take-off-marks.js'
import type { WriteTime } from './write-time.js'

/** Input of every write besides its own request. */
export type WriteContext = Readonly<{
  registry: Registry
  /** Types whose entries are being converted now. The registry of a request may be older. */
  locked?: Registry['locked']
  db: Db
  grant: Grant
  /** documentId of the admin user who writes, for `createdBy` and `updatedBy`; null for none. */
  actor: string | null
  /** Codes of the configured locales, and the default among them. */
  locales: ReadonlySet<string>
  defaultLocale: string
  /** Checks slow patterns; default: texts that need such a check are refused. */
  checkPatterns?: PatternChecker | undefined
  /**
   * Called before a write in a locale begins and before it is acknowledged; absent = all configured locales are
   * permanent.
   */
  holdsLocale?: HoldsLocale | undefined
  /**
   * Maximum duration of a publish by another process, in milliseconds. A publish that began earlier was interrupted. 0
   * if no other process writes to this database, because writes of this process wait in the document's queue.
   */
  publishingMs?: number | undefined
  /**
   * Whether a write is one transaction if the database supports them; absent = its steps are always sent one by one
   * (docs/storage.md, "One by one, or together").
   */
  transactions?: boolean | undefined
  /** Records what the write may leave incomplete, before it begins; absent = not recorded. */
  journal?: WriteJournal | undefined
  /** Called for drafts whose mark can be removed (docs/storage.md, "Modified drafts"); absent = marks stay. */
  agreed?: AgreedDrafts | undefined
  /** Time limit; undefined = none. */
  time?: WriteTime | undefined
  /** Records the duration of each stage; absent = not measured. */
  timeline?: Timeline | undefined
  /** Called for keys of a body that contradict a parameter (`data.locale`); absent = they are refused. */
  ignored?: ((path: string) => void) | undefined
  /** Whether to only check a body: it can be refused, but nothing is written. */
  dryRun?: boolean | undefined
  /** Whether `required` applies to relations and media; default true. */
  requiredRelations?: boolean | undefined
  /** Whether `allowedTypes` of media attributes is enforced; default true. */
  enforceAllowedTypes?: boolean | undefined
  /** Whether a create generates the uids that it leaves out; default true. */
  generateUids?: boolean | undefined
  /** Set if files are private and the writer may not read them; absent = their addresses are stored as sent. */
  privateFiles?: PrivateFiles | undefined
}>

/** Whether a locale is configured, and not about to be deleted. */
type HoldsLocale = (locale: string) => Promise<boolean>
