/** Types for `@strapi/client`. Compiled with the project, and by `test/client/uses.test.ts`. */
import { strapi } from '@strapi/client'
import type { StrapiClient } from '../../../client/main.js'
import type { Article, Author, Quire } from '../quire.js'
import { typed } from './typed.js'

const client = strapi({ baseURL: 'https://site.example/api' }) as unknown as StrapiClient<Quire>

export async function ask(): Promise<void> {
  typed<Article[]>().is((await client.collection('articles').find()).data)
  const found = await client.collection('articles').findOne('a', { populate: ['author'] })
  typed<Author | null | undefined>().is(found.data.author)
  await client.collection('articles').create({ title: 'A' })
  typed<string>().is((await client.single('homepage').find()).data.heading)
  // @ts-expect-error 'titel'
  await client.collection('articles').create({ titel: 'A' })
}
