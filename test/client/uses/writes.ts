/** Types of request bodies. Compiled with the project, and by `test/client/uses.test.ts`. */
import { createClient } from '../../../client/main.js'
import type { Article, ArticleUpdate, Quire, Tag } from '../quire.js'
import { typed } from './typed.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')

export async function write(before: Article): Promise<void> {
  typed<Article>().is((await articles.create({ title: 'A' })).data)
  const draft = await articles.create({ summary: 'No title yet' }, { status: 'draft' })
  typed<string | null>().is(draft.data.title)
  await articles.create(
    {
      title: 'A',
      kind: 'news',
      bigViews: '9223372036854775807',
      releaseAt: new Date(),
      secret: 'only written',
      author: 'a-document-id',
      tags: { connect: [{ documentId: 'b', position: { start: true } }], disconnect: [7] },
      cover: 3,
      gallery: [{ id: 1 }, 2],
      seo: { metaTitle: 'A', social: [{ network: 'x', profile: null }] },
      sections: [{ __component: 'section.quote', text: 'So', by: 'c' }],
    },
    { locale: 'fr' },
  )
  const updated = await articles.update(
    'a',
    { author: null, seo: { id: 4, metaDescription: null } },
    { fields: ['slug'], populate: { tags: true } },
  )
  typed<{ id: number; documentId: string; slug: string | null; tags?: Tag[] }>().is(updated.data)
  await articles.update('a', { title: null }, { status: 'draft' })
  // An entry that was read can be sent back.
  const again: ArticleUpdate = before
  await articles.update(before.documentId, again)

  typed<string>().is((await articles.publish('a')).data.publishedAt)
  typed<null>().is((await articles.unpublish('a', { locale: 'fr' })).data.publishedAt)
  typed<string | null>().is((await articles.discardDraft('a', { fields: 'title' })).data.title)
  await articles.delete('a', { locale: '*' })

  const homepage = client.single('homepage')
  typed<string>().is((await homepage.update({ heading: 'Welcome' })).data.heading)
  typed<string>().is((await homepage.publish()).data.publishedAt)
  await homepage.delete()
}

export async function others(): Promise<void> {
  const { jwt, user } = await client.auth.login({ identifier: 'ana', password: 'secret' })
  typed<string>().is(user.email)
  const mine = client.withToken(jwt)
  typed<string>().is((await mine.auth.me()).username)
  const [file] = await mine.files.upload({ content: new Blob(['a']), fileName: 'a.txt' })
  typed<string | undefined>().is(file?.url)
}
