import { prepareRead } from '../../../../engine/read.js'
import type { ReadContext } from '../../../../engine/read.js'
import { createQueryCache } from '../../../../engine/read/query/known-queries.js'
import { inlineExecutor } from '../../../../workers/executor.js'
import type { Writing } from '../start-writing.js'

/**
 * What a query is answered, by the marks of drafts or by comparing all versions.
 * @param by `times`: as where the database is not carried over yet
 */
export async function readModified(
  { db, registry, context, type }: Writing,
  name: string,
  search: string,
  by: 'marks' | 'times',
): Promise<string> {
  const read: ReadContext = {
    ...{ registry, grant: context.grant, executor: inlineExecutor(db), cache: createQueryCache() },
    limits: {
      ...{ maxArrayLength: 100, maxPopulateDepth: 5, nestedPagination: true },
      ...{ deepPopulate: { default: 5, max: 10 }, unknownParameters: 'refuse' },
    },
    rules: {
      ...{ defaultLimit: 25, maxLimit: 100, maxPopulateDepth: 5, maxPopulateNodes: 50 },
      ...{ wrapFilteredRelations: true, unknownKeys: 'refuse', nestedPagination: true },
      ...{ deepPopulate: { creators: false, maxCost: 1_000_000 }, maxFilteredRelations: 10 },
      ...{ defaultLocale: context.defaultLocale, locales: context.locales },
      ...(by === 'times' ? { unmarked: true } : {}),
    },
  }
  const answer = await prepareRead(type(name), search, read).run({
    ...{ of: 'list', envelope: 'content', format: 'flat', exactMetadata: false },
    ...{ maxPopulatedEntries: 1000, maxAnswerBytes: 1_000_000, maxCost: 0, timeoutMs: 10_000 },
  })
  return new TextDecoder().decode(answer?.bytes)
}

const locales = ['', '&locale=fr', '&locale=en&locale=fr', '&locale=*&sort=updatedAt:desc']

/** Every way of asking for what is modified, of a type with or without locales. */
export function modifiedQueries(isLocalized: boolean): readonly string[] {
  const asked = ['modified', 'unmodified'].flatMap((word) =>
    ['draft', 'published'].map((status) => `status=${status}&publicationFilter=${word}`),
  )
  return asked.flatMap((search) =>
    (isLocalized ? locales : ['', '&sort=updatedAt']).map((more) => search + more),
  )
}
