import { parentPort, workerData } from 'node:worker_threads'
import { MongoClient } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { DocumentAction, WriteContext, WriteScope } from '../../../engine/write.js'
import { actOnDocument, deleteDocument, updateDocument } from '../../../engine/write.js'
import { definitions } from './model.js'

/** One write of a writer. */
export type Job = Readonly<
  { type: string; id: string; scope: WriteScope } & (
    { call: 'update'; data: unknown } | { call: 'delete' } | { call: 'act'; action: DocumentAction }
  )
>

/** Data of a writer, which stands for a process: its thread has its own modules and therefore its own queue. */
export type WriterData = Readonly<{
  uri: string
  jobs: readonly Job[]
  /** Whether the writer uses transactions, if the database supports them. */
  transactions: boolean
}>

const { uri, jobs, transactions } = workerData as WriterData
const client = await new MongoClient(uri).connect()
const registry = createRegistryFrom(definitions, 1)
const context: WriteContext = {
  registry,
  db: client.db(),
  grant: fullGrant,
  actor: null,
  locales: new Set(['en', 'fr', 'de']),
  defaultLocale: 'en',
  transactions,
}

const refused: number[] = []
for (const job of jobs) {
  const status = await attempt(job)
  if (status !== undefined) refused.push(status)
}
await client.close()
parentPort?.postMessage(refused)

/** Retries after a conflict, as a client would. */
async function attempt(job: Job): Promise<number | undefined> {
  for (;;)
    try {
      await run(job)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 409) return error.status
    }
}

async function run(job: Job): Promise<unknown> {
  const type = typeOf(registry, `api::${job.type}.${job.type}`)
  if (job.call === 'update') return updateDocument(context, type, job.id, job.scope, job.data)
  if (job.call === 'delete') return deleteDocument(context, type, job.id, job.scope)
  return actOnDocument(context, type, job.id, job.scope, job.action)
}
