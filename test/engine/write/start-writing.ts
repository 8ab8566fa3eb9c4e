import { expect } from 'chai'
import type { Db, Document } from 'mongodb'
import { ApiError } from '../../../engine/errors.js'
import { prepareCollections } from '../../../engine/database/prepare-collections.js'
import { ownDatabase } from '../../../engine/database/own-database.js'
import { collectionsOf, type ContentType } from '../../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { WriteContext, WriteScope } from '../../../engine/write.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { testDatabaseUri } from '../../support/database.js'
import { filledCollections } from './filled-collections.js'
import { wronglyListed } from './listed-references.js'
import { definitions } from './model.js'
import { unmarkedDrafts } from './unmarked-drafts.js'

/** A new database with the model's collections, and a context that may write everything. */
export type Writing = Readonly<{
  uri: string
  db: Db
  registry: Registry
  context: WriteContext
  type: (name: string) => ContentType
  /** Returns the documents of a collection in the order of their ids. */
  stored: (collection: string) => Promise<Document[]>
  clear: () => Promise<void>
  stop: () => Promise<void>
}>

export const published: WriteScope = { status: 'published' }
export const draft: WriteScope = { status: 'draft' }
export const inLocale = (locale: string, status: WriteScope['status'] = 'published') => ({
  status,
  locale,
})

/** By default, writes use transactions if the database supports them. Tests of single steps turn them off. */
export type WritingOptions = Readonly<{ uri?: string; transactions?: boolean }>

export async function startWriting(
  model: readonly SourcedDefinition[] = definitions,
  { uri: ownUri, transactions = true }: WritingOptions = {},
): Promise<Writing> {
  const uri = ownUri ?? (await testDatabaseUri())
  const client = await connectDatabase(uri, { appName: 'test' })
  const db = await ownDatabase(client)
  const registry = createRegistryFrom(model, 1)
  await prepareCollections(db, registry)
  const context: WriteContext = {
    registry,
    db,
    grant: fullGrant,
    actor: null,
    locales: new Set(['en', 'fr', 'de']),
    defaultLocale: 'en',
    transactions,
  }
  // Checks what must be true after all writes, even interrupted ones.
  const checkStored = async (filled: ReadonlySet<string>): Promise<void> => {
    const types = [...registry.contentTypes.values()].filter((type) =>
      collectionsOf(type).some((collection) => filled.has(collection)),
    )
    expect(await wronglyListed(db, registry, types)).to.deep.equal([])
    expect(await unmarkedDrafts(db, registry, types)).to.deep.equal([])
  }
  return {
    uri,
    db,
    registry,
    context,
    type: (name) => typeOf(registry, name.includes('::') ? name : `api::${name}.${name}`),
    stored: (collection) =>
      db.collection(collection).find({}, { promoteLongs: false }).sort({ _id: 1 }).toArray(),
    clear: async () => {
      const filled = await filledCollections(db)
      await checkStored(filled)
      for (const name of filled) await db.collection(name).deleteMany({})
    },
    stop: async () => {
      try {
        await checkStored(await filledCollections(db))
      } finally {
        await client.close()
      }
    },
  }
}

/** Returns a document without ids, times and revisions, which vary between runs. */
export function plain(document: Document | undefined): Document {
  const hidden = new Set([
    '_id',
    'documentId',
    'createdAt',
    'updatedAt',
    'createdBy',
    'updatedBy',
    'publishedAt',
  ])
  return Object.fromEntries(
    Object.entries(document ?? {}).filter(([key]) => !hidden.has(key) && !key.startsWith('_')),
  )
}

/** Returns the error of a refused write, as the response shows it. */
export async function refusal(write: Promise<unknown>): Promise<Document> {
  try {
    await write
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, name, message, details } = error
    return { status, name, message, ...(details === undefined ? {} : { details }) }
  }
  throw new Error('The write was not refused')
}
