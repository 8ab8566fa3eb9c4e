import type { Db, Document } from 'mongodb'
import { databaseError } from '../errors/database-errors.js'
import { pipelineOf } from '../read/compile/compile-command.js'
import type { Reader } from '../read/execute/reader.js'
import { hintOf } from '../read/execute/reader.js'
import type { Budget } from '../read/execute/budget.js'

/** One pipeline that a read has executed. */
export type ExplainedPipeline = Readonly<{
  purpose: string
  collection: string
  pipeline: Document[]
  /** True if the entries were scanned in storage order (`$natural`). */
  natural?: true | undefined
  rows: number
  milliseconds: number
  /** Names of the stages in the database's query plan, such as `IXSCAN`, in their order. */
  stages: readonly string[]
  /** The fields of each index that the query plan uses. */
  indexes: readonly (readonly string[])[]
  /** Execution statistics, for `explain=execution`. Absent if collecting them would take more work than the read. */
  statistics?: Document | undefined
}>

/** Wraps a reader so that it records the commands it sends, for `explainPipelines`. */
export function recordReads(reader: Reader): Readonly<{ reader: Reader; reads: Recorded[] }> {
  const reads: Recorded[] = []
  const recorded =
    <T extends readonly unknown[]>(read: (...args: ReadArguments) => Promise<T>) =>
    async (...args: ReadArguments): Promise<T> => {
      const [collection, command, purpose, how] = args
      const started = performance.now()
      const documents = await read(...args)
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

type ReadArguments = Parameters<Reader['read']>

export type Recorded = Omit<ExplainedPipeline, 'stages' | 'indexes' | 'statistics'>

/**
 * Explains each recorded pipeline (https://www.mongodb.com/docs/manual/reference/explain-results/), within the time
 * limit of the read. To collect statistics, the database runs the pipeline again. It does not run a pipeline with
 * `$unionWith`: MongoDB would run the whole union, although the read stopped early, and MongoDB 6.0 may crash.
 * @throws ApiError 503 if the time limit is exceeded or the database is unavailable
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
    // Keep BSON's regular expressions: those of JavaScript do not support `\A`, and have another meaning for the option
    // `s`.
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

function withoutServer(answer: Document): Document {
  const hidden = new Set(['serverInfo', 'serverParameters', 'command', 'ok', '$clusterTime'])
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !hidden.has(name)))
}

function usedBy(answer: Document): Pick<ExplainedPipeline, 'stages' | 'indexes'> {
  const stages = new Set<string>()
  const indexes = new Map<string, readonly string[]>()
  const visit = (here: unknown): void => {
    if (Array.isArray(here)) return here.forEach(visit)
    if (typeof here !== 'object' || here === null) return
    for (const [name, value] of Object.entries(here)) {
      // Rejected plans did not run.
      if (name === 'rejectedPlans') continue
      if (name === 'stage' && typeof value === 'string') stages.add(value)
      else if (name === 'keyPattern') {
        const fields = fieldsOf(value)
        // A map, because the statistics contain each index a second time.
        indexes.set(fields.join(), fields)
      } else visit(value)
    }
  }
  visit(answer)
  return { stages: [...stages], indexes: [...indexes.values()] }
}

/**
 * Returns the fields of an index. MongoDB shows the index as a string if the query is a single equality (express plan).
 */
function fieldsOf(keyPattern: unknown): string[] {
  if (typeof keyPattern !== 'string') return Object.keys(keyPattern as Document)
  return [...keyPattern.matchAll(/([^{},:]+): /g)].map(([, field = '']) => field.trim())
}
