import type { ContentType, Status } from '../../../engine/schema/content-type.js'
import { referencePlaces } from '../../../engine/schema/reference-places.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { storedTypesOf } from '../../../engine/schema/whole-types.js'
import { modifiedField } from '../../../engine/values/modified.js'
import { referencesOf } from '../../../engine/values/references.js'
import type { Fields } from '../../../engine/values/stored-types.js'
import { sharedFields } from '../../../engine/write/change/shared-attributes.js'
import type { ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'
import { chooseVersions, type ChosenVersion } from './choose-versions.js'
import { isDeepStrictEqual } from 'node:util'
import { isScalar, isStored, type Attribute } from '../../../engine/schema/attribute.js'
import { claimedComponent } from '../../../engine/schema/members-in.js'
import { isObject } from '../../../engine/values/is-object.js'

/** A version of an entry, as it is stored. */
export type MadeVersion = Readonly<{
  status: Status
  document: Fields & Readonly<{ _id: number; documentId: string; locale: string | null }>
}>

type MakeContext = Readonly<{
  registry: Registry
  notes: Notes
  defaultLocale: string
  /** The time of the export, used as the time of creation for rows that lack one. */
  exportedAt: Date
  /** Returns the content of a row, by field names of the database. */
  contentOf: (row: ExportedEntity) => Fields
}>

type Made = ChosenVersion<ExportedEntity> & Readonly<{ content: Fields }>

/** Creates all versions of a document (docs/internals/storage.md, "An entry version"). */
export function makeVersions(
  type: ContentType,
  rows: readonly ExportedEntity[],
  context: MakeContext,
): readonly MadeVersion[] {
  const chosen = chooseVersions(type, rows, context)
  const made = chosen.map((version) => ({ ...version, content: context.contentOf(version.row) }))
  const aligned = alignAll(type, made, context.registry)
  return aligned.map((version) => {
    const rowOf = (status: Status) => inSameLocale(aligned, version, status)?.row
    return versionOf(
      type,
      version,
      { draft: rowOf('draft'), published: rowOf('published') },
      context,
    )
  })
}

/**
 * Gives published versions the component ids of their drafts. In attributes that all locales share, gives all versions
 * the component ids of the first version.
 */
function alignAll(
  type: ContentType,
  versions: readonly Made[],
  registry: Registry,
): readonly Made[] {
  const shared = new Set(sharedFields(type))
  const [first] = versions
  const sharing = versions.map((version) => align(version, first, shared))
  return sharing.map((version) =>
    version.status === 'draft' ? version : align(version, inSameLocale(sharing, version, 'draft')),
  )

  function align(version: Made, other: Made | undefined, only?: ReadonlySet<string>) {
    if (other === undefined || other === version) return version
    const content: Record<string, unknown> = { ...version.content }
    for (const attribute of type.attributes.values()) {
      const { storedAs } = attribute
      const isOfComponents = attribute.type === 'component' || attribute.type === 'dynamiczone'
      if (isOfComponents && only?.has(storedAs) !== false)
        content[storedAs] = alignComponents(
          attribute,
          content[storedAs],
          other.content[storedAs],
          registry,
        )
    }
    return { ...version, content }
  }
}

const inSameLocale = (versions: readonly Made[], { locale }: Made, status: Status) =>
  versions.find((one) => one.status === status && one.locale === locale)

function versionOf(
  type: ContentType,
  { row, status, locale, content }: Made,
  { draft, published }: Readonly<Record<Status, ExportedEntity | undefined>>,
  { registry, exportedAt }: MakeContext,
): MadeVersion {
  const { data } = row
  const { createdAt, updatedAt } = timesOf(row, exportedAt)
  const revision = updatedAt.getTime()
  const shown = draft === undefined ? undefined : dateOf(draft.data.updatedAt)
  // A draft that is newer than its published version counts as modified. Even with equal content, the published version
  // may show less than the draft (docs/internals/storage.md, "Modified drafts").
  const isModified =
    status === 'draft' &&
    published !== undefined &&
    timesOf(published, exportedAt).updatedAt < updatedAt
  const document = {
    _id: row.id,
    documentId: data.documentId as string,
    locale,
    createdAt,
    updatedAt,
    publishedAt: status === 'draft' ? null : (dateOf(data.publishedAt) ?? createdAt),
    createdBy: null,
    updatedBy: null,
    _revision: revision,
    // The draft's revision at publication. If the draft was changed later, its present revision is too high.
    _publishedFrom:
      type.draftAndPublish && status === 'published'
        ? Math.min(revision, shown?.getTime() ?? revision)
        : undefined,
    [modifiedField]: isModified || undefined,
    ...content,
  }
  const refs = referencesOf(document, referencePlaces(type, storedTypesOf(registry)))
  return { status, document: { ...document, _refs: refs.length === 0 ? undefined : refs } }
}

/** `createdAt` defaults to the time of the export, `updatedAt` to `createdAt`. */
function timesOf({ data }: ExportedEntity, exportedAt: Date) {
  const createdAt = dateOf(data.createdAt) ?? exportedAt
  return { createdAt, updatedAt: dateOf(data.updatedAt) ?? createdAt }
}

function dateOf(value: unknown): Date | undefined {
  const isTime = typeof value === 'string' || typeof value === 'number'
  const date = isTime ? new Date(value) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/**
 * Replaces each component in `value` by the one at the same index in `other`, if they only differ in their ids. `other`
 * is the attribute's value in the draft, or in another locale. In Quire, versions share component ids; in Strapi, they
 * do not (docs/internals/storage.md, "An entry version").
 */
function alignComponents(
  attribute: Attribute,
  value: unknown,
  other: unknown,
  registry: Registry,
): unknown {
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? (other as readonly unknown[]) : []
    return value.map((item, at) => alignComponents(attribute, item, others[at], registry))
  }
  return isSame(attribute, value, other, registry) ? other : value
}

/** Compares two values, except for the ids of components and the positions in inverse lists. */
function isSame(attribute: Attribute, one: unknown, other: unknown, registry: Registry): boolean {
  if (Array.isArray(one) && !isScalar(attribute))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSame(attribute, item, other[at], registry))
    )
  if (isScalar(attribute) || !isObject(one) || !isObject(other))
    return isDeepStrictEqual(one, other)
  const component = claimedComponent(one, attribute, registry)
  if (component === undefined)
    return one.documentId === other.documentId && one.__type === other.__type
  return (
    component === claimedComponent(other, attribute, registry) &&
    [...component.attributes.values()]
      .filter(isStored)
      .every((inner) => isSame(inner, one[inner.storedAs], other[inner.storedAs], registry))
  )
}
