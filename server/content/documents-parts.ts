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

/** Dependencies of `createDocuments`. */
export type DocumentsParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /** Returns the registry that contains a type. That may be a previous one. Default: always the current one. */
  registryOf?: (type: ContentType) => Registry
  locales: () => LocaleSet
  /** Returns whether a locale exists and is not being deleted. */
  holdsLocale?: (code: string) => Promise<boolean>
  executor: Executor
  cache?: QueryCache
  answers?: AnswerMemory | undefined
  /** Checks values against patterns that may take long. */
  checkPatterns?: WriteContext['checkPatterns']
  /** Whether no other process writes to the database. */
  singleProcess?: boolean
  /** Whether the database's metadata counts entries exactly (docs/internals/storage.md, "Totals"). */
  exactMetadata: boolean
  /** Signs the addresses of files; default: addresses are shown as stored. */
  links?: (() => ReadTarget['links']) | undefined
  /**
   * Checks the signed links to private files that a write contains. An address that was written without a valid link is
   * never signed in responses.
   */
  privateFilesOf?: ((grant: Grant) => WriteContext['privateFiles']) | undefined
  /** What to populate in queries without `populate`; default: nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** Facts for estimating the cost of a read; default: none. */
  factsOf?: FactsOf
  /** Limits the database's work for a read with `explain`; default: no limit. */
  meterOf?: (plan: ReadPlan) => Meter
  /** Runs a read with `explain` as soon as the request gets a slot; default: immediately. */
  inTurn?: (request: AdmissionRequest, run: () => Promise<ReadAnswer>) => Promise<ReadAnswer>
  /** Called when a write begins. Returns the write's journal. Default: writes have no journal. */
  begun?: (() => InFlightWrite) | undefined
  /** Called for drafts whose `_modified` mark can be removed; default: the marks stay. */
  agreed?: AgreedDrafts | undefined
  /** Called with the type's uid when a write has ended. */
  wrote?: ((uid: string) => void) | undefined
  /**
   * Called when a write begins to use the registry of its type. Returns a function to call when the write has ended.
   */
  pinRegistry?: (() => () => void) | undefined
}>

/** A write that has begun and not ended. */
export type InFlightWrite = Readonly<{
  log: WriteJournal
  /** `isCutOff`: whether the write failed for a reason other than an invalid request. */
  ended: (isCutOff: boolean) => void
}>
