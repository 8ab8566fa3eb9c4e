import type { ApiClient } from '../../../cli/seed/api-client.js'
import { counts, makeEntry, parentOf, secondLocale } from './content.js'
import type { Ids, Type, Values } from './content.js'

type Operation = Readonly<{ op: string } & Record<string, unknown>>

const batch = 100

/**
 * Writes all content through the API, because another version of the service may store it differently. Articles of the
 * first batch get their references to other articles after all articles exist. Every fifth article has a second locale.
 */
export async function loadContent(api: ApiClient, size: number): Promise<Ids> {
  const ids: Record<Type, string[]> = { author: [], category: [], tag: [], page: [], article: [] }
  const { author, category, tag, page, article } = ids
  const create = (type: Type) => (index: number) => {
    return { op: 'create', data: makeEntry(type, index, { ids }) }
  }
  await sendMany(api, 'authors', counts.author, create('author'), author)
  await sendMany(api, 'tags', counts.tag, create('tag'), tag)
  await sendMany(api, 'categories', counts.category, create('category'), category)
  await sendMany(api, 'categories', counts.category, (index) => {
    const parent = parentOf(index)
    return parent === undefined ? [] : update(category[index], { parent: category[parent] })
  })
  await sendMany(api, 'articles', size, create('article'), article)
  await sendMany(api, 'articles', Math.min(size, batch), (index) => {
    const { related } = makeEntry('article', index, { ids })
    return update(article[index], { related })
  })
  await sendMany(api, 'articles', size, (index) => {
    if (index % 5 !== 2) return []
    const data = makeEntry('article', index, { locale: secondLocale })
    return { ...update(article[index], data), locale: secondLocale }
  })
  await sendMany(api, 'pages', counts.page, create('page'), page)
  return ids
}

const update = (documentId = '', data: Values): Operation => ({ op: 'update', documentId, data })

/** Adds the returned documentIds to `into` after each batch. */
async function sendMany(
  api: ApiClient,
  path: string,
  count: number,
  operationsOf: (index: number) => Operation | readonly Operation[],
  into: string[] = [],
): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    const length = Math.min(batch, count - start)
    const operations = Array.from({ length }, (_, at) => operationsOf(start + at)).flat()
    into.push(...(await sendBulk(api, path, operations)))
  }
}

/** Sends operations in one request. Returns the documentIds of the written entries. */
export async function sendBulk(
  api: ApiClient,
  path: string,
  operations: readonly Operation[],
): Promise<readonly string[]> {
  if (operations.length === 0) return []
  const { data } = await api.post<{
    data: readonly Readonly<{ status: number; data?: { documentId: string } }>[]
  }>(`/api/${path}/bulk?fields=documentId`, { operations })
  const refused = data.find(({ status }) => status >= 300)
  if (refused !== undefined) throw new Error(`/api/${path}/bulk: ${JSON.stringify(refused)}`)
  return data.flatMap(({ data }) => data?.documentId ?? [])
}
