/** Types of bulk operations and their results. Compiled with the project, and by `test/client/uses.test.ts`. */
import { createClient, type Operation } from '../../../client/main.js'
import type { Article, ArticleType, Author, Quire } from '../quire.js'
import { typed } from './typed.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')

export async function literals(): Promise<void> {
  const { data } = await articles.bulk(
    [
      { op: 'create', data: { title: 'A', tags: { connect: ['b'] }, releaseAt: new Date() } },
      { op: 'create', data: { summary: 'No title yet' }, status: 'draft', locale: 'fr' },
      { op: 'update', documentId: 'a', data: { views: 1 }, ifMatch: '"1"' },
      { op: 'publish', documentId: 'a' },
      { op: 'unpublish', documentId: 'a', locale: 'fr' },
      { op: 'delete', documentId: 'a' },
    ],
    { fields: ['title', 'publishedAt'], populate: ['author'], idempotencyKey: 'once' },
  )
  typed<6>().is(data.length)
  type Shown<E, P> = {
    id: number
    documentId: string
    title: E
    publishedAt: P
    author?: Author | null
  }
  const [created, draft, updated, published, unpublished, deleted] = data
  if (created.error === undefined) {
    typed<201>().is(created.status)
    typed<Shown<string, string>>().is(created.data)
  } else typed<string>().is(created.error.message)
  if (draft.error === undefined) typed<Shown<string | null, null>>().is(draft.data)
  if (updated.error === undefined) typed<Shown<string, string>>().is(updated.data)
  if (published.error === undefined) typed<Shown<string, string>>().is(published.data)
  if (unpublished.error === undefined) typed<Shown<string | null, null>>().is(unpublished.data)
  if (deleted.error === undefined) typed<204>().is(deleted.status)
}

/** Operations without a status of their own use that of the query. */
export async function drafts(): Promise<void> {
  const { data } = await articles.bulk(
    [
      { op: 'create', data: { summary: 'No title yet' } },
      { op: 'create', data: { title: 'A' }, status: 'published' },
      { op: 'discard-draft', documentId: 'a' },
    ],
    { status: 'draft' },
  )
  const [draft, published] = data
  if (draft.error === undefined) typed<string | null>().is(draft.data.title)
  if (published.error === undefined) typed<Article>().is(published.data)
}

/** Lists whose length is known only at runtime. */
export async function lists(names: readonly string[]): Promise<void> {
  const operations = names.map((name) => ({ op: 'create', data: { name } }) as const)
  const { data } = await client.collection('authors').bulk(operations)
  for (const one of data) if (one.error === undefined) typed<Author>().is(one.data)
  const mixed: Operation<ArticleType>[] = [{ op: 'delete', documentId: 'a' }]
  mixed.push({ op: 'create', data: { title: 'A' } })
  for (const one of (await articles.bulk(mixed, { fields: 'title' })).data)
    if (one.error === undefined) typed<string | null | undefined>().is(one.data?.title)
}
