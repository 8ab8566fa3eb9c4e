import type { PublicationFilter } from '../../../../../engine/read/parse/raw-query.js'
import type { ContentType, Status, Structure } from '../../../../../engine/schema/content-type.js'
import { collectionOf } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'

/** A document, a component value or a reference, as docs/internals/storage.md, "An entry version" stores it. */
export type Doc = Readonly<Record<string, unknown>>

/** All that is stored, by collection. */
export type World = Readonly<{
  registry: Registry
  collections: ReadonlyMap<string, readonly Doc[]>
  /** The configured locales. Versions in other locales are invisible. */
  locales: readonly string[]
  defaultLocale: string
}>

/** The parts of a request that decide which versions it sees. */
export type View = Readonly<{
  world: World
  status: Status
  /**
   * Relations from entries without locales show each target in the first of these locales in which the target exists.
   */
  locales: readonly string[]
  /** Like `locales`, for all entries and targets, if locales fall back; otherwise null. */
  chain: readonly string[] | null
  publication: readonly PublicationFilter[]
}>

/** An entry, a component value, or the row of nulls that an outer join adds if there is none. */
export type Row = Readonly<{
  structure: Structure
  value: Doc | null
  /** Locale of the entry, or of the entry that contains the component; null if the entry has no locale. */
  locale: string | null
  /**
   * For a row of nulls: whether it stands for a missing entry or list element, and not for a missing single component.
   */
  missing?: boolean
  /** Locales in which targets of the row's relations are looked for. Default: those of the view; null: `locale`. */
  chain?: readonly string[] | null | undefined
}>

export function versionsOf({ world, status }: View, type: ContentType): readonly Doc[] {
  const versions = world.collections.get(collectionOf(type, status)) ?? []
  if (!type.localized) return versions
  return versions.filter(({ locale }) => world.locales.includes(locale as string))
}

/** Returns one version of each document: in the first of `locales` in which the document exists. */
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
