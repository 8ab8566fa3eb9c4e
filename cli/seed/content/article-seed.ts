import type { Section } from './sections.js'
import type { Motif } from '../pictures/motif.js'

/** A text of the magazine as it is written here; other entries are named by their slugs, pictures by their names. */
export type ArticleSeed = Readonly<{
  slug: string
  title: string
  summary: string
  kind: 'essay' | 'report' | 'guide' | 'interview' | 'review'
  author: string
  category: string
  tags: readonly string[]
  /** `yyyy-mm-dd`. */
  publishedOn: string
  featured?: true
  /** Markdown. */
  body: string
  /** A box beside the text; `- ` begins an item of a list, anything else is a paragraph. */
  notes?: readonly string[]
  cover: Readonly<{ motif: Motif; alt: string }>
  gallery?: readonly string[]
  /** Articles published before this one. */
  related?: readonly string[]
  sections?: readonly Section[]
  /** Not published yet. */
  draft?: true
  /** What its editor has changed since it was published, and not published yet. */
  pending?: Readonly<{ title?: string; summary?: string }>
}>

/** An article in another language; what is not said here is the same in every language. */
export type ArticleTranslation = Readonly<{
  /** The slug of the English text. */
  of: string
  slug: string
  title: string
  summary: string
  body: string
  notes?: readonly string[]
  sections?: readonly Section[]
  /** Translated, and not published yet. */
  draft?: true
}>
