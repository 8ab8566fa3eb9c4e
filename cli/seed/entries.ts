import type { ApiClient } from './api-client.js'

/** What the seed needs to know of entries that are there. */
export type Entry = Readonly<{
  id: number
  documentId: string
  slug: string
  locale?: string | null
  title?: string | null
  summary?: string | null
}>

const pageSize = 100

/** All entries of a collection type, page by page. `query` is more of the query string, `fields` what to show. */
export async function listEntries(
  client: ApiClient,
  plural: string,
  fields: readonly string[],
  query = '',
): Promise<readonly Entry[]> {
  return listPages(async (page) => {
    const search = `fields=${fields.join(',')}&${pageOf(page)}${query}`
    return (await client.get<{ data: readonly Entry[] }>(`/api/${plural}?${search}`)).data
  })
}

/** Every file's record id by its name. */
export async function listFiles(client: ApiClient): Promise<ReadonlyMap<string, number>> {
  const files = await listPages((page) =>
    client.get<readonly Readonly<{ id: number; name: string }>[]>(
      `/api/upload/files?fields=name&${pageOf(page)}`,
    ),
  )
  return new Map(files.map(({ name, id }) => [name, id]))
}

/** Creates what is not there yet; answers the documentIds of all by slug. */
export async function ensureEntries<T extends Readonly<{ slug: string }>>(
  client: ApiClient,
  plural: string,
  seeds: readonly T[],
  toData: (seed: T, known: ReadonlyMap<string, string>) => object,
): Promise<Readonly<{ ids: ReadonlyMap<string, string>; created: number }>> {
  const entries = await listEntries(client, plural, ['slug'])
  const ids = new Map(entries.map(({ slug, documentId }) => [slug, documentId]))
  const missing = seeds.filter(({ slug }) => !ids.has(slug))
  for (const seed of missing) {
    const answer = await client.post<{ data: Entry }>(`/api/${plural}`, { data: toData(seed, ids) })
    ids.set(seed.slug, answer.data.documentId)
  }
  return { ids, created: missing.length }
}

/** What a name of the seed stands for; a name that stands for nothing is a mistake in the seed. */
export function lookUp<T>(known: ReadonlyMap<string, T>, name: string): T {
  const value = known.get(name)
  if (value === undefined) throw new Error(`The demo content names "${name}", which is not there`)
  return value
}

const pageOf = (page: number): string =>
  `sort=id&pagination[page]=${page}&pagination[pageSize]=${pageSize}`

async function listPages<T>(read: (page: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const some = await read(page)
    all.push(...some)
    if (some.length < pageSize) return all
  }
}
