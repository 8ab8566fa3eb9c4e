import { hash } from 'node:crypto'
import type { Db } from 'mongodb'
import { createRandomSource } from '../../../scripts/bench/data/random.js'
import { sentence, title } from '../../../scripts/bench/data/words.js'

/** Content-types for many articles with a long text and a few tags. */
export const attackModel = {
  'content-types/article.json': definition('article', 'articles', {
    title: { type: 'string', required: true },
    slug: { type: 'uid' },
    body: { type: 'richtext' },
    views: { type: 'integer' },
    json: { type: 'json' },
    tags: {
      ...{ type: 'relation', relation: 'manyToMany' },
      ...{ target: 'api::tag.tag', inversedBy: 'articles' },
    },
  }),
  'content-types/tag.json': definition('tag', 'tags', {
    name: { type: 'string', required: true },
    articles: {
      ...{ type: 'relation', relation: 'manyToMany' },
      ...{ target: 'api::article.article', mappedBy: 'tags' },
    },
  }),
}

export const attackSize = { articles: 6000, tags: 300, tagsPerArticle: 5, bodyBytes: 9000 } as const

/** Returns the documentId of the nth entry of a type. It looks as random as real ids. */
export const documentIdOf = (type: string, index: number): string =>
  `b${hash('sha1', `${type} ${index}`).slice(0, 23)}`

function definition(singularName: string, pluralName: string, attributes: object): object {
  return {
    kind: 'collectionType',
    collectionName: pluralName,
    info: { singularName, pluralName, displayName: singularName },
    options: { draftAndPublish: false },
    attributes,
  }
}

/** Writes content directly into the collections of a service, which must already have its indexes. */
export async function loadAttackContent(db: Db): Promise<void> {
  const { articles, tags } = attackSize
  await insert(db, 'tags', numbers(0, tags).map(storedTag))
  for (let start = 0; start < articles; start += batch) {
    await insert(
      db,
      'articles',
      numbers(start, Math.min(articles, start + batch)).map(storedArticle),
    )
  }
  const used = { 'api::tag.tag': tags, 'api::article.article': articles }
  await db
    .collection<{ _id: string; value: number }>('_sequences')
    .insertMany(Object.entries(used).map(([_id, value]) => ({ _id, value })))
}

const batch = 500
const writtenAt = Date.UTC(2025, 0, 1)
const paragraphs = numbers(0, 200).map((index) => sentence(createRandomSource(index), 450))

type Stored = { _id: number } & Record<string, unknown>

function storedTag(index: number): Stored {
  return { ...systemFields('tag', index), name: title(createRandomSource(10_000 + index)) }
}

function storedArticle(index: number): Stored {
  const dice = createRandomSource(20_000 + index)
  let body = `Number ${index}.`
  while (body.length < attackSize.bodyBytes) body += `\n\n${dice.pick(paragraphs)}`
  return {
    ...systemFields('article', index),
    ...{ title: title(dice), slug: `article-${index}`, body, views: dice.whole(0, 100_000) },
    tags: dice
      .distinct(attackSize.tagsPerArticle, attackSize.tags)
      .map((tag) => ({ documentId: documentIdOf('tag', tag), order: writtenAt + index })),
  }
}

function systemFields(type: string, index: number): Stored {
  const time = new Date(writtenAt)
  return {
    ...{ _id: index + 1, documentId: documentIdOf(type, index), locale: null },
    ...{ createdAt: time, updatedAt: time, publishedAt: time, createdBy: null, updatedBy: null },
    _revision: writtenAt,
  }
}

async function insert(db: Db, collection: string, entries: readonly Stored[]): Promise<void> {
  const options = { ordered: false, writeConcern: { w: 1, journal: false } }
  await db.collection<Stored>(collection).insertMany([...entries], options)
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset)
}
