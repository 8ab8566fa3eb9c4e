import type { Db } from 'mongodb'
import qs from 'qs'
import { prepareCollections } from '../../../../../engine/database/prepare-collections.js'
import type { QueryCache } from '../../../../../engine/read/plan/known-queries.js'
import { createQueryCache } from '../../../../../engine/read/plan/known-queries.js'
import type { Executor, ReadContext, ReadPlan, ReadTarget } from '../../../../../engine/read.js'
import { prepareRead } from '../../../../../engine/read.js'
import { collectionOf, collectionsOf } from '../../../../../engine/schema/content-type.js'
import type { ContentType } from '../../../../../engine/schema/content-type.js'
import { fullGrant } from '../../../../../engine/schema/grant.js'
import { referencePlaces } from '../../../../../engine/schema/reference-places.js'
import { withReferences } from '../../../../../engine/values/references.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { localeChains, localeCodes } from './draw-world.js'
import type { Doc, World } from './world.js'

/** Replaces the content of a database by that of a world. */
export async function storeWorld(db: Db, world: World): Promise<void> {
  await db.dropDatabase()
  await prepareCollections(db, world.registry)
  const { registry } = world
  const places = new Map(
    [...registry.contentTypes.values()].flatMap((type) =>
      collectionsOf(type).map((name) => [name, referencePlaces(type, registry)] as const),
    ),
  )
  const none = { fields: new Set<string>(), opaque: new Set<string>() }
  for (const [name, docs] of world.collections) {
    const listed = docs.map((doc): Doc => withReferences({ ...doc }, places.get(name) ?? none))
    await db.collection(name).insertMany(listed)
  }
  for (const type of registry.contentTypes.values())
    if (type.draftAndPublish) await markDrafts(db, type)
}

/** Marks all modified drafts and some others: a mark only means that a draft may be modified. */
async function markDrafts(db: Db, type: ContentType): Promise<void> {
  const [drafts, published] = [collectionOf(type, 'draft'), collectionOf(type, 'published')]
  const versions = await db.collection(published).find().toArray()
  for (const { _id, documentId, locale, updatedAt } of await db
    .collection(drafts)
    .find()
    .toArray()) {
    const shown = versions.find(
      (version) =>
        version['documentId'] === documentId && (!type.localized || version['locale'] === locale),
    )
    const isModified = shown !== undefined && updatedAt > shown['updatedAt']
    if (isModified || Number(_id) % 3 === 0)
      await db.collection(drafts).updateOne({ _id }, { $set: { _modified: true } })
  }
}

export const searchOf = (query: object): string =>
  qs.stringify(query, { strictNullHandling: true, encodeValuesOnly: true })

type Purpose = 'read' | 'groups'

/** Returns the engine's response to a query as text. Null if a requested document does not exist. */
export async function readText(
  registry: Registry,
  executor: Executor,
  type: ContentType,
  query: object,
  target: Partial<ReadTarget> = {},
  purpose: Purpose = 'read',
): Promise<string | null> {
  const context = contextOf(registry, executor, shared)
  const prepared = prepareRead(type, searchOf(query), context, purpose)
  const answer = await prepared.run({ ...list, ...target })
  return answer === null ? null : new TextDecoder().decode(answer.bytes)
}

/** Returns the engine's plan for a query. Uses and fills `cache` if it is given. */
export function planFor(
  registry: Registry,
  type: ContentType,
  query: object,
  target: Partial<ReadTarget>,
  cache?: QueryCache,
  purpose: Purpose = 'read',
): ReadPlan {
  const executor: Executor = { run: () => Promise.resolve(null) }
  const context = contextOf(registry, executor, cache)
  const prepared = prepareRead(type, searchOf(query), context, purpose)
  return prepared.plan({ ...list, ...target })
}

/** Shared by all queries, as in a service. Earlier queries must make no difference. */
const shared = createQueryCache()

const list: ReadTarget = {
  of: 'list',
  envelope: 'content',
  format: 'flat',
  maxPopulatedEntries: 10_000,
  maxAnswerBytes: 16_777_216,
  maxCost: 0,
  timeoutMs: 10_000,
  exactMetadata: false,
}

function contextOf(
  registry: Registry,
  executor: Executor,
  cache = createQueryCache(),
): ReadContext {
  return {
    registry,
    grant: fullGrant,
    executor,
    cache,
    limits: {
      maxArrayLength: 1000,
      maxPopulateDepth: 10,
      nestedPagination: true,
      deepPopulate: { default: 5, max: 10 },
      unknownParameters: 'refuse',
    },
    rules: {
      defaultLimit: 25,
      maxLimit: 100,
      maxPopulateDepth: 10,
      maxPopulateNodes: 500,
      wrapFilteredRelations: true,
      unknownKeys: 'refuse',
      nestedPagination: true,
      deepPopulate: { creators: false, maxCost: 20_000_000 },
      defaultLocale: 'en',
      locales: new Set(localeCodes),
      chains: localeChains,
      localeFallback: false,
    },
  }
}
