/** Code that must not compile. Each error contains one of the texts of its `@ts-expect-error`, separated by ` | `. */
import { createClient } from '../../../client/main.js'
import type { Quire } from '../quire.js'
import { typed } from './typed.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')
const authors = client.collection('authors')

export async function names(): Promise<void> {
  // @ts-expect-error "homepage"
  client.collection('homepage')
  // @ts-expect-error "articles"
  client.single('articles')
  // @ts-expect-error 'field' does not exist
  await articles.find({ field: ['title'] })
  // @ts-expect-error "titel"
  await articles.find({ fields: ['titel'] })
  // @ts-expect-error "secret"
  await articles.find({ fields: ['secret'] })
  // @ts-expect-error "internalNote"
  await articles.find({ fields: ['internalNote'] })
  // @ts-expect-error "author"
  await articles.find({ fields: ['title', 'author'] })
}

export async function populate(): Promise<void> {
  // @ts-expect-error "autor"
  await articles.find({ populate: ['autor'] })
  // @ts-expect-error 'never'
  await articles.find({ populate: ['author', 'author.avatr'] })
  // @ts-expect-error There is no "tgs" here | 'undefined' | 'never'
  await articles.find({ populate: { author: true, tgs: true } })
  // @ts-expect-error 'field' does not exist
  await articles.find({ populate: { author: { field: ['name'] } } })
  // @ts-expect-error "nme"
  await articles.find({ populate: { author: { fields: ['nme'] } } })
  // @ts-expect-error There is no "nam" here | 'undefined' | 'never'
  await articles.find({ populate: { tags: { filters: { nam: 'x', name: 'a' } } } })
  // @ts-expect-error There is no "pagination" here | 'undefined' | 'never'
  await articles.find({ populate: { tags: { sort: 'name', pagination: { limit: 3 } } } })
  // @ts-expect-error There is no "favourite" here | 'undefined' | 'never'
  await articles.find({ populate: { author: { populate: { avatar: true, favourite: true } } } })
  const on = { 'section.hero': true, 'shared.link': true } as const
  // @ts-expect-error There is no "shared.link" here | 'undefined' | 'never'
  await articles.find({ populate: { sections: { on } } })
  // @ts-expect-error There is no "fields" here | 'undefined' | 'never'
  await articles.find({ populate: { sections: { count: true, fields: ['id'] } } })
}

export async function values(): Promise<void> {
  // @ts-expect-error 'titel' does not exist
  await articles.find({ filters: { titel: 'x', title: 'a' } })
  // @ts-expect-error '$gte' does not exist in type 'ComponentFilter
  await articles.find({ filters: { seo: { $gte: 1, metaTitle: 'a' } } })
  // @ts-expect-error '$none' does not exist
  await articles.find({ filters: { author: { $none: { name: 'a' } } } })
  // @ts-expect-error 'nam' does not exist
  await articles.find({ filters: { tags: { $every: { nam: 'a' } } } })
  // @ts-expect-error '$contains' does not exist
  await articles.find({ filters: { featured: { $contains: 'a' } } })
  // @ts-expect-error "true" | 'true' | boolean
  await articles.find({ filters: { views: { $gt: true } } })
  // @ts-expect-error "nws"
  await articles.find({ filters: { kind: { $eq: 'nws' } } })
  // @ts-expect-error [number, number, number]
  await articles.find({ filters: { views: { $between: [1, 2, 3] } } })
  // @ts-expect-error 'secret' does not exist
  await articles.find({ filters: { secret: 'x' } })
  // @ts-expect-error "titel"
  await articles.find({ sort: 'titel' })
  // @ts-expect-error "meta"
  await articles.find({ sort: ['title', 'meta'] })
  // @ts-expect-error "title:up"
  await articles.find({ sort: 'title:up' })
  // @ts-expect-error "old"
  await articles.find({ status: 'old' })
  // @ts-expect-error string[]
  await articles.findOne('a', { locale: ['fr', 'de'] })
  // @ts-expect-error 'number' is not assignable to type 'undefined'
  await articles.find({ pagination: { page: 1, limit: 3 } })
  // @ts-expect-error There is no "pagesize" here | 'undefined' | 'never'
  await articles.find({ pagination: { page: 1, pagesize: 3 } })
}

export async function groups(): Promise<void> {
  // @ts-expect-error "titel"
  await articles.aggregate({ groupBy: ['kind', 'titel'] })
  // @ts-expect-error "author"
  await articles.aggregate({ groupBy: 'author' })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ groupBy: 'author.nam' })
  // @ts-expect-error 'never'
  await articles.aggregate({ groupBy: ['category.parent.nme'] })
  // @ts-expect-error "meta"
  await articles.aggregate({ groupBy: 'meta' })
  // @ts-expect-error "secret"
  await articles.aggregate({ groupBy: 'secret' })
  // @ts-expect-error "sections.text"
  await articles.aggregate({ groupBy: 'sections.text' })
  // @ts-expect-error "localizations.title"
  await articles.aggregate({ groupBy: 'localizations.title' })
  // @ts-expect-error "views:day"
  await articles.aggregate({ groupBy: 'views:day' })
  // @ts-expect-error "releaseDate:hour"
  await articles.aggregate({ groupBy: 'releaseDate:hour' })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ groupBy: 'author.createdAt:mnth' })
  // @ts-expect-error "title"
  await articles.aggregate({ sum: 'title' })
  // @ts-expect-error "author.id"
  await articles.aggregate({ sum: 'author.id' })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ avg: 'seo.metaTitle' })
  // @ts-expect-error "featured"
  await articles.aggregate({ max: ['title', 'featured'] })
  // @ts-expect-error "tags.name"
  await articles.aggregate({ min: 'tags.name' })
  // @ts-expect-error "views"
  await articles.aggregate({ count: 'views' })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ groupBy: 'kind', sort: 'cuont' })
  // @ts-expect-error 'never'
  await articles.aggregate({ groupBy: 'kind', sum: 'views', sort: ['kind', 'sum.rating'] })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ groupBy: 'kind', sum: 'views', sort: 'count' })
  // @ts-expect-error 'undefined' | 'never'
  await articles.aggregate({ groupBy: 'releaseAt:month', sort: 'releaseAt:month' })
  // @ts-expect-error 'fields' does not exist
  await articles.aggregate({ fields: ['title'] })
  // @ts-expect-error 'titel' does not exist
  await articles.aggregate({ groupBy: 'kind', filters: { titel: 'x', title: 'a' } })
  // @ts-expect-error 'aggregate' does not exist
  client.single('homepage').aggregate
}

export async function bodies(): Promise<void> {
  // @ts-expect-error 'title' is missing
  await articles.create({ slug: 'a' })
  // @ts-expect-error 'string' is not assignable to type 'number'
  await articles.create({ title: 'a', views: 'x' })
  // @ts-expect-error 'titel' does not exist
  await articles.create({ title: 'a', titel: 'b' })
  // @ts-expect-error "nws"
  await articles.create({ title: 'a', kind: 'nws' })
  // @ts-expect-error 'null' is not assignable to type 'string
  await articles.update('a', { title: null })
  // @ts-expect-error 'metaTitle' is missing
  await articles.create({ title: 'a', seo: { metaDescription: 'b' } })
  // @ts-expect-error "shared.link"
  await articles.create({ title: 'a', sections: [{ __component: 'shared.link' }] })
  // @ts-expect-error 'null' is not assignable
  await articles.create({ title: 'a', sections: null })
  // @ts-expect-error 'name' is missing
  await authors.create({}, { status: 'draft' })
  // @ts-expect-error 'publish' does not exist
  authors.publish
  // @ts-expect-error 'status' does not exist
  await articles.publish('a', { status: 'draft' })
}

export async function answers(): Promise<void> {
  const { data } = await articles.findOne('a', {
    fields: ['title'],
    populate: { tags: { sort: 'name' } },
  })
  // @ts-expect-error 'slug' does not exist
  data.slug
  // @ts-expect-error 'author' does not exist
  data.author
  // @ts-expect-error 'map' does not exist
  data.tags.map
  // @ts-expect-error 'secret' does not exist
  ;(await articles.findOne('a')).data.secret
  const grouped = await articles.aggregate({ groupBy: 'kind', sum: 'views' })
  // @ts-expect-error 'count' does not exist
  grouped.data[0]?.count
  // @ts-expect-error 'title' does not exist
  grouped.data[0]?.group.title
}

export async function bulks(): Promise<void> {
  // @ts-expect-error 'title' is missing
  await articles.bulk([{ op: 'create', data: { slug: 'a' } }])
  // @ts-expect-error 'titel' does not exist
  await articles.bulk([{ op: 'create', data: { title: 'a', titel: 'b' } }])
  // @ts-expect-error "nws"
  await articles.bulk([{ op: 'create', data: { title: 'a', kind: 'nws' } }])
  // @ts-expect-error 'documentId' is missing | 'documentId'
  await articles.bulk([{ op: 'update', data: { views: 1 } }])
  // @ts-expect-error 'documentId' does not exist
  await articles.bulk([{ op: 'create', documentId: 'a', data: { title: 'a' } }])
  // @ts-expect-error 'data' does not exist
  await articles.bulk([{ op: 'delete', documentId: 'a', data: { title: 'a' } }])
  // @ts-expect-error 'null' is not assignable to type 'string
  await articles.bulk([{ op: 'update', documentId: 'a', data: { title: null } }])
  // @ts-expect-error 'never' | 'undefined'
  await articles.bulk([{ op: 'remove', documentId: 'a' }])
  // @ts-expect-error 'never' | 'undefined'
  await articles.bulk([{ op: 'publish', documentId: 'a', status: 'draft' }])
  // @ts-expect-error 'never' | 'undefined'
  await authors.bulk([{ op: 'publish', documentId: 'a' }])
  // @ts-expect-error 'name' is missing
  await authors.bulk([{ op: 'create', status: 'draft', data: {} }])
  const { data } = await articles.bulk([{ op: 'create', data: { title: 'a' } }])
  // @ts-expect-error possibly 'null'
  data[0].data.title
  // @ts-expect-error '1'
  data[1]
}

/** `typed` itself rejects a different type. */
export function same(value: number | null): void {
  // @ts-expect-error Expected 2 arguments
  typed<number>().is(value)
}
