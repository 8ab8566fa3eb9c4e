import type { Document } from 'mongodb'
import { prepareRead } from '../../../../engine/read.js'
import type { ReadContext } from '../../../../engine/read.js'
import { createQueryCache } from '../../../../engine/read/plan/known-queries.js'
import { collectionOf } from '../../../../engine/schema/content-type.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import type { Writing } from '../start-writing.js'

type Listed = Readonly<{
  data: readonly Readonly<{ documentId: string; locale?: string }>[]
  meta: object
}>

/** Returns the result of a query. */
export async function readModified(
  { db, registry, context, type }: Writing,
  name: string,
  search: string,
): Promise<Listed> {
  const read: ReadContext = {
    ...{ registry, grant: context.grant, executor: inlineExecutor(db), cache: createQueryCache() },
    limits: {
      ...{ maxArrayLength: 100, maxPopulateDepth: 5, nestedPagination: true },
      ...{ deepPopulate: { default: 5, max: 10 }, unknownParameters: 'refuse' },
    },
    rules: {
      ...{ defaultLimit: 25, maxLimit: 100, maxPopulateDepth: 5, maxPopulateNodes: 50 },
      ...{ wrapFilteredRelations: true, unknownKeys: 'refuse', nestedPagination: true },
      ...{ deepPopulate: { creators: false, maxCost: 1_000_000 } },
      ...{ defaultLocale: context.defaultLocale, locales: context.locales },
      ...{ chains: new Map(), localeFallback: false },
    },
  }
  const answer = await prepareRead(type(name), search, read).run({
    ...{ of: 'list', envelope: 'content', format: 'flat', exactMetadata: false },
    ...{ maxPopulatedEntries: 1000, maxAnswerBytes: 1_000_000, maxCost: 0, timeoutMs: 10_000 },
  })
  return JSON.parse(new TextDecoder().decode(answer?.bytes)) as Listed
}

/**
 * Like `readModified`, but compares the times of all versions instead: runs the query without its filter, for at most
 * 100 entries.
 */
export async function modifiedByTimes(
  writing: Writing,
  name: string,
  search: string,
): Promise<Listed> {
  const [filter = '', word] = /&publicationFilter=(\w+)/.exec(search) ?? []
  const whole = `${search.replace(filter, '')}&pagination[pageSize]=100`
  const { data } = await readModified(writing, name, whole)
  const [drafts = [], published = []] = await Promise.all(
    (['draft', 'published'] as const).map((status) =>
      writing.stored(collectionOf(writing.type(name), status)),
    ),
  )
  const matching = data.filter(({ documentId, locale = null }) => {
    const isSame = (version: Document): boolean =>
      version['documentId'] === documentId && (version['locale'] ?? null) === locale
    const [draft, shown] = [drafts.find(isSame), published.find(isSame)]
    if (draft === undefined || shown === undefined) return false
    return draft['updatedAt'] > shown['updatedAt'] === (word === 'modified')
  })
  const pagination = {
    ...{ page: 1, pageSize: 25, total: matching.length },
    pageCount: Math.ceil(matching.length / 25),
  }
  return { data: matching.slice(0, 25), meta: { pagination } }
}

const locales = ['', '&locale=fr', '&locale=en&locale=fr', '&locale=*&sort=updatedAt:desc']

/** Returns all kinds of queries for modified entries, of a type with or without locales. */
export function modifiedQueries(isLocalized: boolean): readonly string[] {
  const statuses = ['modified', 'unmodified'].flatMap((word) =>
    ['draft', 'published'].map((status) => `status=${status}&publicationFilter=${word}`),
  )
  return statuses.flatMap((search) =>
    (isLocalized ? locales : ['', '&sort=updatedAt']).map((more) => search + more),
  )
}
