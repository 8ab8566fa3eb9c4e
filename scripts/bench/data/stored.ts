import type { Article } from './articles.js'
import type { Values } from './people.js'
import { documentIdOf } from './random.js'

/** An entry as Quire stores it. */
export type StoredEntry = { _id: number; documentId: string } & Record<string, unknown>

/** When everything was written. */
const writtenAt = Date.UTC(2025, 0, 1)

type Reference = Readonly<{ documentId: string; order: number }>

/** The nth entry of a type without draft & publish. */
export function storedPlain(
  type: string,
  index: number,
  values: Values,
  parent: number | null,
): StoredEntry {
  const parentOf = parent === null ? null : referenceTo('category', parent, index)
  return {
    ...systemFields(type, index, index + 1),
    publishedAt: new Date(writtenAt),
    ...values,
    ...(type === 'category' ? { parent: parentOf, ...listOf({ parent: parentOf }) } : {}),
  }
}

/** Both versions of the nth article; their record ids follow each other. */
export function storedArticle(
  index: number,
  { scalars, author, category, tags, related, seo, sections }: Article,
): Readonly<{ draft: StoredEntry; published: StoredEntry }> {
  const firstComponent = index * componentsPerArticle + 1
  const relations = {
    author: referenceTo('author', author, index),
    category: referenceTo('category', category, index),
    tags: tags.map((tag) => referenceTo('tag', tag, index)),
    related: related.map((other) => referenceTo('article', other, index)),
  }
  const content = {
    ...scalars,
    ...relations,
    seo: { id: firstComponent, ...seo },
    sections: sections.map((section, position) => ({
      id: firstComponent + 1 + position,
      ...section,
    })),
    ...listOf(relations),
  }
  const system = systemFields('article', index, index * 2 + 1)
  return {
    draft: { ...system, publishedAt: null, _publishing: writtenAt, ...content },
    published: {
      ...system,
      _id: system._id + 1,
      publishedAt: new Date(writtenAt),
      _publishedFrom: writtenAt,
      ...content,
    },
  }
}

/** One SEO component and three of the dynamic zone. */
export const componentsPerArticle = 4

function systemFields(type: string, index: number, _id: number): StoredEntry {
  return {
    _id,
    documentId: documentIdOf(type, index),
    locale: null,
    createdAt: new Date(writtenAt),
    updatedAt: new Date(writtenAt),
    createdBy: null,
    updatedBy: null,
    _revision: writtenAt,
  }
}

/** What a version lists of the references in it (docs/storage.md, "References"). */
function listOf(relations: Readonly<Record<string, Reference | readonly Reference[] | null>>) {
  const listed = Object.entries(relations).flatMap(([field, value]) =>
    [value ?? []].flat().map(({ documentId }) => `${field}:${documentId}`),
  )
  return listed.length === 0 ? {} : { _refs: [...new Set(listed)] }
}

/** The order in the inverse list is the time of connecting. */
function referenceTo(type: string, index: number, holder: number): Reference {
  return { documentId: documentIdOf(type, index), order: writtenAt + holder }
}
