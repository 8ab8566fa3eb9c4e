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

/** Dependencies of reading and writing the documents of a database. */
export type DocumentsParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /** Returns the registry that a type belongs to, which may be older than the live one; default: the live one. */
  registryOf?: (type: ContentType) => Registry
  locales: () => LocaleSet
  /** Whether a locale exists and is not being deleted (`WriteContext`). */
  holdsLocale?: (code: string) => Promise<boolean>
  executor: Executor
  /** Cache of parsed queries; default: none. */
  cache?: QueryCache
  /** Cache of responses; default: none. */
  answers?: AnswerMemory | undefined
  /** Checks patterns that may take long. */
  checkPatterns?: WriteContext['checkPatterns']
  /** Whether no other process writes to the database; default: others may. */
  alone?: boolean
  /** Whether the database's metadata is exact (docs/storage.md, "Totals"). */
  exactMetadata: boolean
  /** Signs the addresses of files; default: they are shown as stored. */
  links?: (() => ReadTarget['links']) | undefined
  /**
   * Returns the check that a writer has a valid link to a private file, before a response may sign its address;
   * default: no check.
   */
  privateFilesOf?: ((grant: Grant) => WriteContext['privateFiles']) | undefined
  /** What reads populate if the query names nothing; default: nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Facts for the cost of a read; default: none. */
  factsOf?: FactsOf
  /** Limits the database's work for an explained read; default: no limit. */
  meterOf?: (plan: ReadPlan) => Meter
  /** Runs an explained read when it gets a slot; default: at once. */
  inTurn?: (request: AdmissionRequest, run: () => Promise<ReadAnswer>) => Promise<ReadAnswer>
  /** Called when a write begins. Returns its journal and the callback for its end. Default: no journal. */
  begun?: (() => InFlightWrite) | undefined
  /** Called with drafts whose marks can be removed (`WriteContext`); default: the marks stay. */
  agreed?: AgreedDrafts | undefined
  /** Called with the type's uid when a write has ended. */
  wrote?: ((uid: string) => void) | undefined
  /** Called when a write takes the registry of its type. Its result is called when the write has ended. */
  pinRegistry?: (() => () => void) | undefined
}>

/** An in-flight write. */
export type InFlightWrite = Readonly<{
  log: WriteJournal
  /**
   * @param isCutOff whether it failed for a reason other than the client's request
   */
  ended: (isCutOff: boolean) => void
}>
