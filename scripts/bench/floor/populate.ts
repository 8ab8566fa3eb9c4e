import type { Db } from 'mongodb'
import type { Fragments } from './batch.js'
import { joinMany, joinOne, readBatch, readFragments, referred, withMembers } from './batch.js'
import type { Stored } from './shapes.js'
import { articles, authors, categories, pages, tags } from './shapes.js'

/** Makes the JSON of one of the documents that it was made for. */
type Write = (article: Stored) => string

/** `populate=author,category,tags` */
export async function populateFlat(db: Db, page: readonly Stored[]): Promise<Write> {
  const [byAuthor, byCategory, byTag] = await Promise.all([
    readFragments(db, authors, referred(page, 'author')),
    readFragments(db, categories, referred(page, 'category')),
    readFragments(db, tags, referred(page, 'tags')),
  ])
  return (article) =>
    withMembers(articles.show(article), {
      author: joinOne(article, 'author', byAuthor),
      category: joinOne(article, 'category', byCategory),
      tags: joinMany(article, 'tags', byTag),
    })
}

/** `populate=*` */
export async function populateAll(db: Db, page: readonly Stored[]): Promise<Write> {
  const [byAuthor, byCategory, byTag, byRelated] = await Promise.all([
    readFragments(db, authors, referred(page, 'author')),
    readFragments(db, categories, referred(page, 'category')),
    readFragments(db, tags, referred(page, 'tags')),
    readFragments(db, articles, referred(page, 'related')),
  ])
  return (article) =>
    withMembers(
      { ...articles.show(article), seo: article['seo'], sections: article['sections'] },
      {
        author: joinOne(article, 'author', byAuthor),
        category: joinOne(article, 'category', byCategory),
        tags: joinMany(article, 'tags', byTag),
        related: joinMany(article, 'related', byRelated),
      },
    )
}

/** `pLevel=4`: the articles of the blocks, and all that `populate=*` shows of those. */
export async function populatePages(db: Db, found: readonly Stored[]): Promise<Write> {
  const blocks = found.flatMap(blocksOf)
  const documentIds = new Set([...referred(blocks, 'article'), ...referred(blocks, 'articles')])
  const shown = await readBatch(db, articles, [...documentIds], everything)
  const write = await populateAll(db, shown)
  const byArticle = new Map(shown.map((article) => [article.documentId, write(article)]))
  const writeBlock = (block: Stored): string => {
    const { article, articles, ...own } = block
    return withMembers(own, {
      ...(article === undefined ? {} : { article: joinOne(block, 'article', byArticle) }),
      ...(articles === undefined ? {} : { articles: joinMany(block, 'articles', byArticle) }),
    })
  }
  return (page) =>
    withMembers(pages.show(page), { blocks: `[${blocksOf(page).map(writeBlock).join(',')}]` })
}

const blocksOf = (page: Stored): readonly Stored[] => page['blocks'] as readonly Stored[]

/** What `populate=*` shows of articles. */
const everything = { author: 1, category: 1, tags: 1, related: 1, seo: 1, sections: 1 } as const

/** `populate=author,category.parent.parent,tags,related.author,related.category.parent,related.tags` */
export async function populateDeep(db: Db, page: readonly Stored[]): Promise<Write> {
  const [byAuthor, byCategory, byTag, byRelated] = await Promise.all([
    readFragments(db, authors, referred(page, 'author')),
    readCategories(db, referred(page, 'category'), 2),
    readFragments(db, tags, referred(page, 'tags')),
    readRelated(db, referred(page, 'related')),
  ])
  return (article) =>
    withMembers(articles.show(article), {
      author: joinOne(article, 'author', byAuthor),
      category: joinOne(article, 'category', byCategory),
      tags: joinMany(article, 'tags', byTag),
      related: joinMany(article, 'related', byRelated),
    })
}

async function readRelated(db: Db, documentIds: readonly string[]): Promise<Fragments> {
  const found = await readBatch(db, articles, documentIds, { author: 1, category: 1, tags: 1 })
  const [byAuthor, byCategory, byTag] = await Promise.all([
    readFragments(db, authors, referred(found, 'author')),
    readCategories(db, referred(found, 'category'), 1),
    readFragments(db, tags, referred(found, 'tags')),
  ])
  return new Map(
    found.map((article) => [
      article.documentId,
      withMembers(articles.show(article), {
        author: joinOne(article, 'author', byAuthor),
        category: joinOne(article, 'category', byCategory),
        tags: joinMany(article, 'tags', byTag),
      }),
    ]),
  )
}

/** Categories with so many levels above them. */
async function readCategories(
  db: Db,
  documentIds: readonly string[],
  levels: number,
): Promise<Fragments> {
  if (levels === 0) return readFragments(db, categories, documentIds)
  const found = await readBatch(db, categories, documentIds, { parent: 1 })
  const byParent = await readCategories(db, referred(found, 'parent'), levels - 1)
  return new Map(
    found.map((it) => [
      it.documentId,
      withMembers(categories.show(it), { parent: joinOne(it, 'parent', byParent) }),
    ]),
  )
}
