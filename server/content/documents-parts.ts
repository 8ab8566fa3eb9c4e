import type { Db } from 'mongodb'
import type { Meter } from '../../engine/explain.js'
import type { Executor, FactsOf, ReadAnswer, ReadPlan, ReadTarget } from '../../engine/read.js'
import type { QueryCache } from '../../engine/read/plan/known-queries.js'
import type { DefaultPopulate } from '../../engine/read/default-populate.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { AgreedDrafts, WriteJournal, WriteContext } from '../../engine/write.js'
import type { AdmissionRequest } from '../../workers/admission.js'
import type { LocaleSet } from '../services.js'
import type { Settings } from '../settings/settings.js'
import type { AnswerMemory } from './answer-memory.js'

/** Everything that is needed to read and write the documents of a database. */
export type DocumentsParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /**
   * Returns the registry to which a type belongs, which may be older than the current one. Default: the current
   * registry.
   */
  registryOf?: (type: ContentType) => Registry
  locales: () => LocaleSet
  /** Returns whether a locale exists and is not being deleted (`WriteContext`). */
  holdsLocale?: (code: string) => Promise<boolean>
  executor: Executor
  /** Cache of parsed queries; default: none. */
  cache?: QueryCache
  /** Cache of responses; default: none. */
  answers?: AnswerMemory | undefined
  /** Checks values against patterns that may take long. */
  checkPatterns?: WriteContext['checkPatterns']
  /** Whether no other process writes to the database; default: other processes may write to it. */
  alone?: boolean
  /**
   * Whether the number of entries that the database's metadata contains is exact (docs/internals/storage.md, "Totals").
   */
  exactMetadata: boolean
  /** Signs the addresses of files; default: they are shown as stored. */
  links?: (() => ReadTarget['links']) | undefined
  /**
   * Returns a function that checks whether a writer has a valid link to a private file. Only then may a response
   * contain a signed address of the file. Default: no check.
   */
  privateFilesOf?: ((grant: Grant) => WriteContext['privateFiles']) | undefined
  /** Relations that a read populates if its query has no `populate`; default: none. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Returns facts from which the cost of a read is estimated; default: none. */
  factsOf?: FactsOf
  /** Limits the work that the database does for an explained read; default: no limit. */
  meterOf?: (plan: ReadPlan) => Meter
  /** Runs an explained read as soon as the request gets a slot; default: immediately. */
  inTurn?: (request: AdmissionRequest, run: () => Promise<ReadAnswer>) => Promise<ReadAnswer>
  /**
   * Called when a write begins. Returns the write's journal, and a function to call when the write ends. Default: no
   * journal.
   */
  begun?: (() => InFlightWrite) | undefined
  /** Called for each draft whose `_modified` mark can be removed (`WriteContext`); default: the marks stay. */
  agreed?: AgreedDrafts | undefined
  /** Called with the type's uid when a write has ended. */
  wrote?: ((uid: string) => void) | undefined
  /**
   * Called when a write begins to use the registry of its type. The returned function is called when the write has
   * ended.
   */
  pinRegistry?: (() => () => void) | undefined
}>

/** An in-flight write. */
export type InFlightWrite = Readonly<{
  log: WriteJournal
  /**
   * Called when the write has ended.
   * @param isCutOff whether the write failed for a reason other than an invalid request
   */
  ended: (isCutOff: boolean) => void
}>
