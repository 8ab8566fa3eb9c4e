import type { PublicationFilter } from '../../../../../engine/read/query/raw-query.js'
import type { ContentType, Status, Structure } from '../../../../../engine/schema/content-type.js'
import { collectionOf } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'

/** A document, a component value or a reference, as docs/storage.md, "An entry version" stores it. */
export type Doc = Readonly<Record<string, unknown>>

/** All that is stored, by collection. */
export type World = Readonly<{
  registry: Registry
  collections: ReadonlyMap<string, readonly Doc[]>
  /** The configured ones; what is stored in others is not there. */
  locales: readonly string[]
  defaultLocale: string
}>

/** What decides which versions a request sees. */
export type View = Readonly<{
  world: World
  status: Status
  /** Relations from entries without locales show each target in the first of these that it has a version in. */
  locales: readonly string[]
  /** The same of all entries and targets, where locales fall back; null where they do not. */
  chain: readonly string[] | null
  /** How drafts and published versions of what is seen relate. */
  publication: readonly PublicationFilter[]
}>

/** An entry, a component value, or the row of nulls that an outer join puts where there is none. */
export type Row = Readonly<{
  structure: Structure
  value: Doc | null
  /** Of the entry that it is or is in; null where that has none. */
  locale: string | null
  /** Of a row of nulls: whether no entry or list element stands for it. A component of nulls is a part of what it is in. */
  missing?: boolean
  /** The locales in the first of which its targets are seen, where these are not those of the view; null: in its own. */
  chain?: readonly string[] | null | undefined
}>

export function versionsOf({ world, status }: View, type: ContentType): readonly Doc[] {
  const versions = world.collections.get(collectionOf(type, status)) ?? []
  if (!type.localized) return versions
  return versions.filter(({ locale }) => world.locales.includes(locale as string))
}

/** Of each document the version in the first of some locales. */
export const firstIn = (versions: readonly Doc[], locales: readonly string[]): readonly Doc[] =>
  versions.filter(({ documentId, locale }) => {
    const own = versions.filter((it) => it['documentId'] === documentId)
    return locale === locales.find((code) => own.some((it) => it['locale'] === code))
  })

export const rowOf = (type: ContentType, value: Doc): Row => ({
  structure: type,
  value,
  locale: type.localized ? (value['locale'] as string) : null,
})

export const isEntry = (structure: Structure): structure is ContentType =>
  'collectionName' in structure

export function listOf(stored: unknown): readonly Doc[] {
  if (Array.isArray(stored)) return stored as Doc[]
  return stored === null || stored === undefined ? [] : [stored as Doc]
}
