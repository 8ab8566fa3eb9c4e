import { expect } from 'chai'
import { compile, inProject } from './compile.js'

describe('joined lists of results', () => {
  // The compiler compares the types of the lists. Its work must not depend on all possible queries.
  it('compile within a limit of work for entries of several types', () => {
    const file = inProject('test/client/joined.ts')
    const { complaints, instantiations } = compile([file], {
      [file]: `import { createClient } from '../../client/main.js'
import type { Quire } from './quire.js'
const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
export const ask = async () => {
  const files = await client.files.find({ populate: ['related'] })
  const articles = await client.collection('articles').find({ pLevel: 3, status: 'draft' })
  return [
    ...files.flatMap((file) => file.related ?? []).map((one) => one.__type),
    ...articles.data.flatMap((one) => one.sections ?? []).map((one) => one.__component),
  ]
}`,
    })
    expect(complaints).to.deep.equal([])
    expect(instantiations).to.be.lessThan(30_000)
  })

  it('compile within a limit of work for bulk results', () => {
    const file = inProject('test/client/joined.ts')
    const { complaints, instantiations } = compile([file], {
      [file]: `import { createClient } from '../../client/main.js'
import type { Quire } from './quire.js'
const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
export const ask = async () => {
  const articles = await client.collection('articles').bulk([
    ${Array.from({ length: 20 }, (_, at) => `{ op: 'create', data: { title: '${at}' } }, { op: 'update', documentId: '${at}', data: { views: ${at} }, status: 'draft' }`).join(', ')}
  ], { populate: '*' })
  const tags = await client.collection('tags').bulk([{ op: 'create', data: { name: 'a' } }, { op: 'delete', documentId: 'a' }])
  return [articles.data, tags.data].flatMap((list) => [...list].map(({ error }) => error?.message))
}`,
    })
    expect(complaints).to.deep.equal([])
    expect(instantiations).to.be.lessThan(40_000, String(instantiations))
  })

  it('compile within a limit of work for groups', () => {
    const file = inProject('test/client/joined.ts')
    const { complaints, instantiations } = compile([file], {
      [file]: `import { createClient } from '../../client/main.js'
import type { Quire } from './quire.js'
const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
export const ask = async () => {
  const articles = await client.collection('articles').aggregate({ groupBy: ['author.name', 'publishedAt:month'], sum: 'views' })
  const drafts = await client.collection('articles').aggregate({ groupBy: ['title', 'tags.name'], status: 'draft', max: 'rating' })
  const authors = await client.collection('authors').aggregate({ groupBy: 'favorite.name' })
  const all = [articles, drafts, authors]
  return [...all.flatMap(({ meta }) => meta.pagination.total), ...[...articles.data, ...drafts.data, ...authors.data].map((one) => one.group)]
}`,
    })
    expect(complaints).to.deep.equal([])
    expect(instantiations).to.be.lessThan(30_000)
  })
})
