import type { Db, Document } from 'mongodb'
import { databaseError } from '../errors/database-errors.js'
import { pipelineOf } from '../read/run/compile-command.js'
import type { Reader } from '../read/run/reader.js'
import { hintOf } from '../read/run/reader.js'
import type { Budget } from '../read/run/budget.js'

/** One pipeline of a read, as it was run. */
export type ExplainedPipeline = Readonly<{
  purpose: string
  collection: string
  pipeline: Document[]
  /** Whether entries were gone through as they are stored; absent = the engine chose. */
  natural?: true | undefined
  /** Documents it yielded. */
  rows: number
  milliseconds: number
  /** The names of the engine's stages, in the order in which its plan mentions them. */
  stages: readonly string[]
  /** The fields of each index that is used. */
  indexes: readonly (readonly string[])[]
  /** The engine's statistics, with `execution`; absent if they would take more work than the read did. */
  statistics?: Document | undefined
}>

/** A reader that keeps what it was asked, for `explainPipelines`. */
export function recordReads(reader: Reader): Readonly<{ reader: Reader; reads: Recorded[] }> {
  const reads: Recorded[] = []
  const recorded =
    <T extends readonly unknown[]>(read: (...asked: Asked) => Promise<T>) =>
    async (...asked: Asked): Promise<T> => {
      const [collection, command, purpose, how] = asked
      const started = performance.now()
      const documents = await read(...asked)
      const milliseconds = Math.round((performance.now() - started) * 100) / 100
      const natural = how?.natural === true || undefined
      const rows = documents.length
      const pipeline = pipelineOf(command)
      reads.push({ purpose, collection, pipeline, natural, rows, milliseconds })
      return documents
    }
  return {
    reads,
    reader: {
      ...reader,
      read: recorded(reader.read),
      readStored: recorded(reader.readStored),
      count: async (collection, command, how) => {
        const count = async (): Promise<number[]> => [await reader.count(collection, command, how)]
        const [total = 0] = await recorded(count)(collection, command, 'total', how)
        return total
      },
    },
  }
}

type Asked = Parameters<Reader['read']>

export type Recorded = Omit<ExplainedPipeline, 'stages' | 'indexes' | 'statistics'>

/**
 * Asks the engine how it runs each pipeline (https://www.mongodb.com/docs/manual/reference/explain-results/),
 * for statistics by running it once more: one after the other, in the time that the read had. A pipeline with
 * `$unionWith` gets no statistics: MongoDB would run the union to its end although the read stopped early, and MongoDB 6.0
 * may crash on it.
 * Throws `ApiError` 503 when the time is over or without a database.
 */
export async function explainPipelines(
  db: Db,
  reads: readonly Recorded[],
  withStatistics: boolean,
  { budget, signal }: ExplainBounds,
): Promise<readonly ExplainedPipeline[]> {
  const explained: ExplainedPipeline[] = []
  for (const read of reads) {
    const isRun = withStatistics && !read.pipeline.some((stage) => '$unionWith' in stage)
    const verbosity = isRun ? 'executionStats' : 'queryPlanner'
    signal?.throwIfAborted()
    const maxTimeMS = Math.max(1, budget.left())
    // Patterns that the engine tells of are no JavaScript's: it has neither `\A` nor the option `s` as the driver reads it.
    const options = { ...hintOf(read), bsonRegExp: true }
    const cursor = db.collection(read.collection).aggregate(read.pipeline, options)
    const answer = await cursor.explain({ verbosity, maxTimeMS }).catch((error: unknown) => {
      throw databaseError(error, budget.timeoutMs) ?? error
    })
    const statistics = isRun ? withoutServer(answer) : undefined
    explained.push({ ...read, ...usedBy(answer), statistics })
  }
  return explained
}

type ExplainBounds = Readonly<{ budget: Budget; signal: AbortSignal | undefined }>

/** Where the engine runs and with which command is nobody's business. */
function withoutServer(answer: Document): Document {
  const hidden = new Set(['serverInfo', 'serverParameters', 'command', 'ok', '$clusterTime'])
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !hidden.has(name)))
}

function usedBy(answer: Document): Pick<ExplainedPipeline, 'stages' | 'indexes'> {
  const stages = new Set<string>()
  const indexes = new Map<string, readonly string[]>()
  const walk = (here: unknown): void => {
    if (Array.isArray(here)) return here.forEach(walk)
    if (typeof here !== 'object' || here === null) return
    for (const [name, value] of Object.entries(here)) {
      // Plans that lost say nothing of this query.
      if (name === 'rejectedPlans') continue
      if (name === 'stage' && typeof value === 'string') stages.add(value)
      else if (name === 'keyPattern') {
        const fields = fieldsOf(value)
        // Statistics name it again.
        indexes.set(fields.join(), fields)
      } else walk(value)
    }
  }
  walk(answer)
  return { stages: [...stages], indexes: [...indexes.values()] }
}

/** The engine's short path for a single equality shows its index as a text. */
function fieldsOf(keyPattern: unknown): string[] {
  if (typeof keyPattern !== 'string') return Object.keys(keyPattern as Document)
  return [...keyPattern.matchAll(/([^{},:]+): /g)].map(([, field = '']) => field.trim())
}
