import type { Db } from 'mongodb'
import type { Meter } from '../../engine/explain.js'
import type { Executor, FactsOf, ReadAnswer, ReadPlan, ReadTarget } from '../../engine/read.js'
import type { QueryCache } from '../../engine/read/query/known-queries.js'
import type { DefaultPopulate } from '../../engine/read/default-populate.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Grant } from '../../engine/schema/grant.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { AgreedDrafts, UnderwayLog, WriteContext } from '../../engine/write.js'
import type { Asked } from '../../workers/admission.js'
import type { LocaleSet } from '../lifecycle/services.js'
import type { Settings } from '../settings/settings.js'
import type { AnswerMemory } from './answer-memory.js'

/** What the documents of a database are read and written with. */
export type DocumentsParts = Readonly<{
  db: Db
  settings: Settings
  registry: () => Registry
  /** The registry that a type is of, which may be one before that of the moment; default: that of the moment. */
  registryOf?: (type: ContentType) => Registry
  locales: () => LocaleSet
  /** Whether a locale is there to stay (`WriteContext`). */
  holdsLocale?: (code: string) => Promise<boolean>
  executor: Executor
  /** What was understood of queries before; default: nothing. */
  cache?: QueryCache
  /** Answers that were made before; default: each is made. */
  answers?: AnswerMemory | undefined
  /** For patterns that may take long. */
  checkPatterns?: WriteContext['checkPatterns']
  /** Whether no other process writes to the database; default: others may. */
  alone?: boolean
  /** Whether the database's metadata is exact (docs/storage.md, "Totals"). */
  exactMetadata: boolean
  /** How addresses of files are shown; default: as they are stored. */
  links?: (() => ReadTarget['links']) | undefined
  /** What a writer has to have been shown of files before an answer may sign it; default: nothing. */
  privateFilesOf?: ((grant: Grant) => WriteContext['privateFiles']) | undefined
  /** What reads populate that name nothing; default: nothing. */
  defaultPopulate?: DefaultPopulate | undefined
  /** For the cost of a read; default: nothing is known. */
  factsOf?: FactsOf
  /** Bounds what a read that is explained takes from the database; default: nothing is too much. */
  meterOf?: (plan: ReadPlan) => Meter
  /** Runs a read that is explained when its turn has come; default: at once. */
  inTurn?: (asked: Asked, run: () => Promise<ReadAnswer>) => Promise<ReadAnswer>
  /** Told of each write: where it notes what it may leave half done, and when it has ended. Default: nowhere. */
  begun?: (() => UnderwayWrite) | undefined
  /** Told of drafts whose marks can go (`WriteContext`); default: they stay. */
  agreed?: AgreedDrafts | undefined
  /** Told of each write, when it has ended. */
  wrote?: ((uid: string) => void) | undefined
  /** Told when a write takes the registry of its type; what it returns is called when the write is over. */
  knowing?: (() => () => void) | undefined
}>

/** A write while it runs. */
export type UnderwayWrite = Readonly<{
  log: UnderwayLog
  /** @param isCutOff whether it failed for a reason that is not the client's */
  ended: (isCutOff: boolean) => void
}>
