import { lookUp } from './entries.js'
import type { ArticleSeed } from './content/article-seed.js'
import type { HomepageSeed } from './content/site.js'
import type { Section } from './content/sections.js'
import { tags } from './content/tags.js'

/** What the names of the demo content stand for in the service that is being filled. */
export type Names = Readonly<{
  /** Record ids of files. */
  pictures: ReadonlyMap<string, number>
  /** documentIds. */
  authors: ReadonlyMap<string, string>
  categories: ReadonlyMap<string, string>
  tags: ReadonlyMap<string, string>
  articles: ReadonlyMap<string, string>
}>

/** A member of a dynamic zone as the API takes it. */
export function toSection(section: Section, names: Names): object {
  const { kind, ...rest } = section
  const component = { __component: `section.${kind}` }
  switch (section.kind) {
    case 'hero':
      return { ...component, ...rest, picture: lookUp(names.pictures, section.picture) }
    case 'quote': {
      const by = section.by === undefined ? null : lookUp(names.authors, section.by)
      return { ...component, text: section.text, attribution: section.attribution ?? null, by }
    }
    case 'gallery':
      return { ...component, ...rest, pictures: lookUpAll(names.pictures, section.pictures) }
    case 'related':
      return { ...component, ...rest, articles: lookUpAll(names.articles, section.articles) }
    case 'text':
    case 'facts':
      return { ...component, ...rest }
  }
}

/** The hero of the homepage, which is a component by itself. */
export function toHero({ picture, ...hero }: HomepageSeed['hero'], names: Names): object {
  return { ...hero, picture: lookUp(names.pictures, picture) }
}

type Localized = Pick<ArticleSeed, 'slug' | 'title' | 'summary' | 'body' | 'notes' | 'sections'>

/** What an article has in each of its languages; relations belong to a locale too. */
export function toLocalizedArticle(text: Localized, article: ArticleSeed, names: Names): object {
  return {
    title: text.title,
    slug: text.slug,
    summary: text.summary,
    body: text.body,
    notes: text.notes === undefined ? null : toBlocks(text.notes),
    seo: {
      metaTitle: text.title,
      metaDescription: text.summary,
      keywords: tags
        .filter(({ slug }) => article.tags.includes(slug))
        .map(({ name }) => name.toLowerCase())
        .join(', '),
      image: lookUp(names.pictures, article.slug),
    },
    sections: (text.sections ?? []).map((section) => toSection(section, names)),
    author: lookUp(names.authors, article.author),
    category: lookUp(names.categories, article.category),
    tags: lookUpAll(names.tags, article.tags),
    related: lookUpAll(names.articles, article.related ?? []),
  }
}

/** What an article has once, for all its languages. */
export function toSharedArticle(article: ArticleSeed, names: Names): object {
  return {
    kind: article.kind,
    featured: article.featured ?? false,
    readingMinutes: readingMinutes(article.body),
    publishedOn: article.publishedOn,
    cover: lookUp(names.pictures, article.slug),
    gallery: lookUpAll(names.pictures, article.gallery ?? []),
  }
}

/** Read aloud, and without hurry. */
const wordsPerMinute = 80

const readingMinutes = (body: string): number =>
  Math.max(1, Math.round(body.split(/\s+/).length / wordsPerMinute))

function lookUpAll<T>(known: ReadonlyMap<string, T>, names: readonly string[]): readonly T[] {
  return names.map((name) => lookUp(known, name))
}

/** Lines to the nodes of rich text: `- ` begins an item, and items that follow each other are one list. */
function toBlocks(lines: readonly string[]): readonly object[] {
  const blocks: { type: string; format?: string; children: object[] }[] = []
  for (const line of lines) {
    const text = { type: 'text', text: line.replace(/^- /, '') }
    const last = blocks.at(-1)
    if (text.text === line) blocks.push({ type: 'paragraph', children: [text] })
    else if (last?.type === 'list') last.children.push({ type: 'list-item', children: [text] })
    else
      blocks.push({
        type: 'list',
        format: 'unordered',
        children: [{ type: 'list-item', children: [text] }],
      })
  }
  return blocks
}
