/** Inferred types of responses. Compiled with the project, and by `test/client/uses.test.ts`. */
import { createClient, type Result } from '../../../client/main.js'
import type {
  Article,
  ArticleType,
  Author,
  Homepage,
  Quire,
  SectionHero,
  SharedSeo,
  Tag,
  UploadFile,
} from '../quire.js'
import { typed } from './typed.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')

type Ids = { id: number; documentId: string }
type Titled = Ids & { title: string }

export async function fields(): Promise<void> {
  typed<Article[]>().is((await articles.find()).data)
  typed<Article>().is((await articles.findOne('a')).data)
  typed<Homepage>().is((await client.single('homepage').find()).data)
  typed<Titled[]>().is((await articles.find({ fields: 'title' })).data)
  typed<(Titled & { views: number | null })[]>().is(
    (await articles.find({ fields: ['title', 'views'] })).data,
  )
  typed<Article[]>().is((await articles.find({ fields: ['title', '*'] })).data)
  // At runtime, the list may contain only some of these names.
  const some: ('title' | 'views')[] = ['title']
  typed<(Ids & { title?: string; views?: number | null })[]>().is(
    (await articles.find({ fields: some })).data,
  )
}

export async function pages(): Promise<void> {
  type ByPage = { page: number; pageSize: number; pageCount: number; total: number }
  typed<ByPage>().is((await articles.find()).meta.pagination)
  typed<ByPage>().is((await articles.find({ pagination: { page: 2 } })).meta.pagination)
  typed<{ page: number; pageSize: number }>().is(
    (await articles.find({ pagination: { pageSize: 5, withCount: false } })).meta.pagination,
  )
  typed<{ start: number; limit: number; total: number }>().is(
    (await articles.find({ pagination: { start: 2, limit: 3 } })).meta.pagination,
  )
  typed<{ start: number; limit: number }>().is(
    (await articles.find({ pagination: { limit: 3, withCount: false } })).meta.pagination,
  )
  const withCount = Math.random() > 0.5
  typed<{ page: number; pageSize: number; pageCount?: number; total?: number }>().is(
    (await articles.find({ pagination: { withCount } })).meta.pagination,
  )
}

export async function versions(): Promise<void> {
  const [draft] = (await articles.find({ status: 'draft' })).data
  typed<null | undefined>().is(draft?.publishedAt)
  typed<string | null | undefined>().is(draft?.title)
  typed<string | undefined>().is(draft?.createdAt)
  // A type without drafts has only complete entries, even if the request has `status: 'draft'`.
  typed<Author[]>().is((await client.collection('authors').find({ status: 'draft' })).data)
  typed<'fr' | undefined>().is((await articles.find({ locale: 'fr' })).data[0]?.locale)
  typed<'fr' | 'de' | undefined>().is(
    (await articles.find({ locale: ['fr', 'de'] })).data[0]?.locale,
  )
  typed<string | undefined>().is((await articles.find({ locale: '*' })).data[0]?.locale)
  typed<string>().is((await articles.findOne('a', { locale: 'fr', fallback: true })).data.locale)
  typed<'fr'>().is((await articles.findOne('a', { locale: 'fr', fallback: false })).data.locale)
}

export async function relations(): Promise<void> {
  const { data } = await articles.findOne('a', {
    fields: ['title'],
    populate: ['author', 'author.avatar', 'tags', 'gallery'],
  })
  typed<
    Titled & {
      // Relations are optional, because the caller may not be allowed to see them. Media are always visible.
      author?: (Author & { avatar: UploadFile | null }) | null
      tags?: Tag[]
      gallery: UploadFile[]
    }
  >().is(data)
  const deep = await articles.findOne('a', {
    fields: ['title'],
    status: 'draft',
    populate: {
      author: { fields: ['name'], populate: { articles: { count: true } } },
      category: { populate: { parent: { populate: { children: { fields: 'name' } } } } },
      localizations: { fields: 'locale', sort: 'locale' },
    },
  })
  typed<Ids & { name: string; articles?: { count: number } }>().is(notNull(deep.data.author))
  const parent = notNull(notNull(deep.data.category).parent)
  typed<(Ids & { name: string })[] | undefined>().is(parent.children)
  typed<(Ids & { locale: string })[] | undefined>().is(deep.data.localizations)
}

/** A filtered or sorted relation to many is wrapped in `data`; media are not. */
export async function wrapped(): Promise<void> {
  const name = { fields: 'name' } as const
  type Names = (Ids & { name: string })[]
  const article = await articles.findOne('a', {
    populate: {
      tags: { ...name, sort: 'name' },
      related: { fields: 'title', filters: { title: { $ne: 'a' } } },
      gallery: { ...name, sort: 'name' },
    },
  })
  typed<{ data: Names } | undefined>().is(article.data.tags)
  typed<{ data: Titled[] } | undefined>().is(article.data.related)
  typed<Names>().is(article.data.gallery)
  const nothing = await articles.findOne('a', {
    populate: { tags: { ...name, sort: [], filters: {} } },
  })
  typed<Names | undefined>().is(nothing.data.tags)
  const filters: { name?: string } = Math.random() > 0.5 ? { name: 'a' } : {}
  const either = await articles.findOne('a', { populate: { tags: { ...name, filters } } })
  typed<Names | { data: Names } | undefined>().is(either.data.tags)
}

export async function maybe(): Promise<void> {
  const isAsked = Math.random() > 0.5
  const { data } = await articles.findOne('a', {
    fields: 'title',
    populate: { cover: isAsked, gallery: false },
  })
  typed<Titled & { cover?: UploadFile | null }>().is(data)
}

export async function components(): Promise<void> {
  const { data } = await articles.findOne('a', {
    fields: 'title',
    populate: {
      seo: { populate: { social: { fields: ['url'] }, image: true } },
      sections: { on: { 'section.hero': { populate: ['picture'] }, 'section.quote': true } },
    },
  })
  typed<
    (SharedSeo & { social: { id: number; url: string | null }[]; image: UploadFile | null }) | null
  >().is(data.seo)
  for (const section of data.sections) {
    typed<'section.hero' | 'section.quote'>().is(section.__component)
    if (section.__component === 'section.quote') typed<string>().is(section.text)
    else
      typed<SectionHero & { picture: UploadFile | null; __component: 'section.hero' }>().is(section)
  }
  const all = (await articles.findOne('a', { populate: ['sections.picture'] })).data.sections
  for (const section of all)
    if (section.__component === 'section.hero') typed<UploadFile | null>().is(section.picture)
    else typed<boolean>().is('picture' in section)
  const starred = (await articles.findOne('a', { populate: '*' })).data
  typed<SharedSeo | null>().is(starred.seo)
  typed<Article[] | undefined>().is(starred.localizations)
  typed<UploadFile | null>().is(starred.cover)
}

/** With `pLevel` or `deep`, all populated relations are optional. */
export async function deep(): Promise<void> {
  const { data } = await articles.findOne('a', { pLevel: 3 })
  typed<string | undefined>().is(data.author?.articles?.[0]?.title)
  const all = await articles.find({ populate: 'deep,4', status: 'draft' })
  typed<string | null | undefined>().is(all.data[0]?.related?.[0]?.title)
}

/** A file lists the entries that use it, with their types. */
export async function uses(): Promise<void> {
  const files = await client.files.find({
    fields: 'url',
    populate: { related: { on: { 'api::author.author': { fields: 'name' } } } },
  })
  typed<
    (Ids & {
      url: string
      related?: (Ids & { name: string; __type: 'api::author.author' })[]
      isUrlSigned?: boolean
    })[]
  >().is(files)
}

/** `Result` names the type of an entry, for example as a parameter. */
export function named(entry: Result<ArticleType, { fields: 'title'; populate: { tags: true } }>) {
  typed<Titled & { tags?: Tag[] }>().is(entry)
}

function notNull<T>(value: T): NonNullable<T> {
  if (value === null || value === undefined) throw new Error('There is nothing')
  return value
}
