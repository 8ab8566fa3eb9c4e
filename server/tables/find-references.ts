import { fullGrant } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { chunksOf } from '../../engine/values/batches.js'
import { toApiError } from '../http/error-reply.js'
import type { Services } from '../lifecycle/services.js'

/** What a value of a unique attribute stands for, or why nobody can ask for it. */
export type Stands = Readonly<{ documentId: string } | { refused: string }>
/** What values of a unique attribute of a type stand for. */
export type Found = ReadonlyMap<string, Stands>
type Pairs = readonly (readonly [value: string, stands: Stands])[]

/** As many as one query asks for, where the limits of queries allow it. */
const mostAtOnce = 50

/**
 * The documentIds of what the cells of a column name by a unique attribute.
 * @param locale in which targets are looked for that have one
 * @throws what is no fault of the values, such as 503
 */
export async function findReferences(
  { documents, settings }: Services,
  { target, attribute }: Readonly<{ target: ContentType; attribute: string }>,
  values: readonly string[],
  locale: string | undefined,
): Promise<Found> {
  const most = [settings['api.rest.maxLimit'], settings['api.rest.maxArrayLength']]
  const atOnce = Math.min(mostAtOnce, ...most)
  const ask = async (some: readonly string[]): Promise<Pairs> => {
    const search = searchFor(target, attribute, some, locale)
    const request = { search, grant: fullGrant, envelope: 'content', isOnce: true } as const
    const { bytes } = await documents.find(target, request)
    const { data } = JSON.parse(Buffer.from(bytes).toString()) as {
      data: readonly Readonly<Record<string, unknown>>[]
    }
    return data.map((entry) => [String(entry[attribute]), { documentId: String(entry.documentId) }])
  }
  /** A value that is refused, such as one that is too long, is told apart from those that are asked for with it. */
  const find = async (some: readonly string[]): Promise<Pairs> => {
    try {
      return await ask(some)
    } catch (error) {
      const { status, message } = toApiError(error)
      if (status >= 500) throw error
      const [first = ''] = some
      if (some.length <= 1) return [[first, { refused: message }]]
      const middle = Math.ceil(some.length / 2)
      return [...(await find(some.slice(0, middle))), ...(await find(some.slice(middle)))]
    }
  }
  const found = new Map<string, Stands>()
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
  // What is not published can be referred to as well.
  if (target.draftAndPublish) query.append('status', 'draft')
  if (target.localized && locale !== undefined) query.append('locale', locale)
  return query.toString()
}
