import { fullGrant } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { chunksOf } from '../../engine/values/batches.js'
import { toApiError } from '../http/response/error-reply.js'
import type { Services } from '../services.js'

/** The entry with a value of a unique attribute, or why the value was rejected. */
export type LookupResult = Readonly<{ documentId: string } | { refused: string }>
/** Entries, or why their values were rejected, by value of a unique attribute. */
export type Found = ReadonlyMap<string, LookupResult>
type Pairs = readonly (readonly [value: string, stands: LookupResult])[]

/** Maximum values per query. The limits of queries may reduce it. */
const mostAtOnce = 50

/**
 * Finds the documentIds of entries by values of a unique attribute.
 * @param locale locale for localized entries
 * @throws errors that no value caused, such as 503
 */
export async function findReferences(
  { documents, settings }: Services,
  { target, attribute }: Readonly<{ target: ContentType; attribute: string }>,
  values: readonly string[],
  locale: string | undefined,
): Promise<Found> {
  const most = [settings['api.rest.maxLimit'], settings['api.rest.maxArrayLength']]
  const atOnce = Math.min(mostAtOnce, ...most)
  const findSome = async (some: readonly string[]): Promise<Pairs> => {
    const search = searchFor(target, attribute, some, locale)
    const request = { search, grant: fullGrant, envelope: 'content', isOnce: true } as const
    const { bytes } = await documents.find(target, request)
    const { data } = JSON.parse(Buffer.from(bytes).toString()) as {
      data: readonly Readonly<Record<string, unknown>>[]
    }
    return data.map((entry) => [String(entry[attribute]), { documentId: String(entry.documentId) }])
  }
  /** Halves the list if the query is rejected, until the rejected value, for example a long one, is found. */
  const find = async (some: readonly string[]): Promise<Pairs> => {
    try {
      return await findSome(some)
    } catch (error) {
      const { status, message } = toApiError(error)
      if (status >= 500) throw error
      const [first = ''] = some
      if (some.length <= 1) return [[first, { refused: message }]]
      const middle = Math.ceil(some.length / 2)
      return [...(await find(some.slice(0, middle))), ...(await find(some.slice(middle)))]
    }
  }
  const found = new Map<string, LookupResult>()
  const wanted = [...new Set(values)]
  for (const some of chunksOf(wanted, atOnce))
    for (const [value, stands] of await find(some)) found.set(value, stands)
  return found
}

function searchFor(
  target: ContentType,
  attribute: string,
  values: readonly string[],
  locale: string | undefined,
): string {
  const query = new URLSearchParams({
    'fields[0]': 'documentId',
    'fields[1]': attribute,
    'pagination[start]': '0',
    'pagination[limit]': String(mostAtOnce),
    'pagination[withCount]': 'false',
  })
  for (const [at, value] of values.entries())
    query.append(`filters[${attribute}][$in][${at}]`, value)
  // Relations may refer to entries that exist only as drafts.
  if (target.draftAndPublish) query.append('status', 'draft')
  if (target.localized && locale !== undefined) query.append('locale', locale)
  return query.toString()
}
