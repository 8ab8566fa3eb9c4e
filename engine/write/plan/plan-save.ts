import type { Change, Version } from '../change/change.js'
import { isScalar, isStored } from '../../schema/attribute.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import { planOwners, planReleases } from './plan-relations.js'
import { isStoredAlike } from './stored-alike.js'
import type { MainWrite, Publication, SavePlan, SharedWrite } from './write-plan.js'
import { markOf, mayDifferFromPublished } from '../../values/modified.js'
import type { Fields } from '../../values/stored-types.js'
import { listedIn, listOf, uniquesField } from '../../values/unique-list.js'

/**
 * Plans the steps of a change. Each step is only executed if the stored version is as expected.
 * @param published the published version as read
 * @param takeId returns a new record id
 */
export function planSave(
  change: Change,
  published: Version | undefined,
  takeId: () => number,
): SavePlan {
  const { type, documentId, locale, before, now } = change
  const revision = Math.max((before?._revision ?? 0) + 1, now)
  const draft = collectionOf(type, 'draft')
  const main = planMain(change, published, revision, takeId)
  return {
    documentId,
    locale,
    revision,
    releases: planReleases(change, draft, 'targets'),
    conditional: change.conditional || undefined,
    undisturbed: change.undisturbed,
    main,
    publication: change.publish ? planPublication(change, main, revision, published, takeId) : null,
    shared: planShared(change),
    sharedUnique: [...type.attributes.values()].some(
      (attribute) =>
        change.common.includes(attribute.storedAs) &&
        ((isScalar(attribute) && attribute.unique) ||
          change.uniques?.fields.has(attribute.storedAs) === true),
    ),
    joins: (change.before === undefined && !change.createsDocument) || undefined,
    merges: planMerges(change),
    owners: planOwners(change),
    settles: change.settles,
    places: change.places,
    now,
  }
}

function planMain(
  change: Change,
  published: Version | undefined,
  revision: number,
  takeId: () => number,
): MainWrite {
  const { type, documentId, locale, before, values, stamps, now } = change
  const collection = collectionOf(type, 'draft')
  const actor = change.actor === null ? null : { documentId: change.actor }
  const written = { updatedAt: timeOf(before, now), updatedBy: actor, _revision: revision }
  const _stamps = Object.keys(stamps).length === 0 ? {} : { _stamps: stamps }
  const kept = {
    ...pendingFields(change, revision),
    // The published version is about to change until its `_publishedFrom` reaches this revision
    // (`engine/write/change/precondition.ts`).
    ...(change.publish ? { _publishing: revision } : {}),
    // Mark the draft before any step that makes it differ from the published version (docs/internals/storage.md,
    // "Modified drafts").
    ...(type.draftAndPublish
      ? markOf(before, mayDifferFromPublished(before, published))
      : listOf(change.uniques)),
  }
  if (before !== undefined) {
    const set = { ...values, ...written, ..._stamps, ...kept }
    return {
      kind: 'update',
      collection,
      id: before._id,
      ifRevision: before._revision,
      set,
      previous: before,
    }
  }
  const id = takeId()
  const document = {
    _id: id,
    documentId,
    locale,
    createdAt: new Date(now),
    publishedAt: type.draftAndPublish ? null : new Date(now),
    createdBy: actor,
    ...written,
    ..._stamps,
    ...kept,
    ...values,
  }
  return { kind: 'insert', collection, id, document }
}

/**
 * Returns a new `updatedAt` that is later than the previous one, even if the clocks of processes differ
 * (docs/internals/storage.md, "Modified drafts").
 */
function timeOf(before: Version | undefined, now: number): Date {
  return new Date(before === undefined ? now : Math.max(now, before.updatedAt.getTime() + 1))
}

/**
 * Stores the pending edits. A publish also stores its revision, so that a repair or the next publish can finish an
 * interrupted one.
 */
function pendingFields({ before, pending, settles }: Change, revision: number): Fields {
  if (pending.length === 0 && before?._pending === undefined) return {}
  return { _pending: pending, _settling: settles ? revision : null }
}

function planPublication(
  change: Change,
  main: MainWrite,
  revision: number,
  published: Version | undefined,
  takeId: () => number,
): Publication {
  const { type, documentId, locale, content, stamps, now } = change
  const draft: Fields = main.kind === 'insert' ? main.document : { ...main.previous, ...main.set }
  const collection = collectionOf(type, 'published')
  const whole = {
    fields: {
      documentId,
      locale,
      createdAt: draft['createdAt'],
      // Copy this time: equal times mean that the draft is not modified (docs/internals/storage.md, "Modified drafts").
      updatedAt: draft['updatedAt'],
      publishedAt: new Date(now),
      createdBy: draft['createdBy'] ?? null,
      updatedBy: draft['updatedBy'] ?? null,
      _revision: revision,
      _publishedFrom: revision,
      ...wholeContent(type, content, published),
    },
    stamps: { ...stamps, ...relationStamps(type, stamps, published) },
    guarded: [...change.common, ...twoSidedRelations(type)],
    uniques: change.uniques,
  }
  return {
    collection,
    releases: planReleases(change, collection, 'all'),
    previous: published ?? null,
    id: published?._id ?? takeId(),
    ...whole,
    difference: published === undefined ? null : planDifference(published, whole, revision),
    conditional: change.conditional,
  }
}

/**
 * Returns the later of two stamps, the draft's and the published one, for each relation that was also written from the
 * inverse side. The publish then replaces the published value instead of keeping it as newer.
 */
function relationStamps(
  type: ContentType,
  stamps: Readonly<Record<string, number>>,
  published: Version | undefined,
): Readonly<Record<string, number>> {
  const seen = published?._stamps ?? {}
  return Object.fromEntries(
    twoSidedRelations(type)
      .filter((field) => field in seen)
      .map((field) => [field, Math.max(seen[field] ?? 0, stamps[field] ?? 0)]),
  )
}

/** Returns a value or null for every attribute, so that a publish clears what the draft no longer contains. */
export function wholeContent(
  { attributes, unmanagedFields }: ContentType,
  content: Fields,
  previous: Fields = {},
): Fields {
  return Object.fromEntries(
    [...attributes.values()]
      .filter(isStored)
      // Fields that only other versions of the definition have are written only if the old or the new content has them.
      .filter(
        ({ storedAs: field }) =>
          unmanagedFields?.has(field) !== true || field in content || field in previous,
      )
      .map(({ storedAs }) => [storedAs, content[storedAs] ?? null]),
  )
}

/** Returns the stored names of owned relations with an inverse side. */
function twoSidedRelations(type: ContentType): readonly string[] {
  return [...type.attributes.values()]
    .filter(
      (attribute) =>
        attribute.type === 'morph' ||
        (attribute.type === 'relation' && attribute.owner && attribute.inverseSide),
    )
    .map(({ storedAs }) => storedAs)
}

function planShared(change: Change): readonly SharedWrite[] {
  const { type, content, stamps, shared, common } = change
  if (change.hasOneLocale === true) return []
  const write = (collection: string, fields: readonly string[]): readonly SharedWrite[] => {
    const written = { values: pick(content, fields), stamps: pickStamps(stamps, fields) }
    return fields.length === 0
      ? []
      : [{ collection, ...written, uniques: uniquesIn(collection, change) }]
  }
  // A publish also writes the shared values of earlier draft writes to all locales.
  const stamped = common.filter((field) => field in stamps)
  return [
    ...write(collectionOf(type, 'draft'), shared),
    ...(change.publish ? write(collectionOf(type, 'published'), stamped) : []),
  ]
}

function planMerges(change: Change): SavePlan['merges'] {
  const { type, before, createsDocument, common, publish } = change
  if (before !== undefined || createsDocument || common.length === 0) return []
  const statuses: readonly Status[] = publish ? ['draft', 'published'] : ['draft']
  return statuses.map((status) => {
    const collection = collectionOf(type, status)
    return { collection, fields: common, uniques: uniquesIn(collection, change) }
  })
}

/** Drafts have no list of unique values. */
const uniquesIn = (collection: string, { type, uniques }: Change): Change['uniques'] =>
  collection === collectionOf(type, 'published') ? uniques : undefined

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}

function pickStamps(
  stamps: Readonly<Record<string, number>>,
  names: readonly string[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, stamps[name] ?? 0]))
}

/**
 * Returns the fields that must change in the published version as read, usually few; null if a later draft is already
 * published. Writing only these takes the database 0.8 ms; writing all and comparing their stamps takes 1.2 ms.
 */
function planDifference(
  published: Version,
  {
    fields,
    stamps,
    guarded,
    uniques,
  }: Pick<Publication, 'fields' | 'stamps' | 'guarded' | 'uniques'>,
  revision: number,
): Fields | null {
  if (Number(published['_publishedFrom'] ?? 0) >= revision) return null
  const seen = (field: string): number => published._stamps?.[field] ?? 0
  const isNewer = (field: string): boolean =>
    guarded.includes(field) && seen(field) > (stamps[field] ?? 0)
  const kept = listedIn(published).filter((one) => isNewer(one.in))
  const listed = uniques?.listed.filter((one) => !isNewer(one.in)).concat(kept)
  const list = listed === undefined ? [] : [[uniquesField, listed] as const]
  return Object.fromEntries([
    ...[...Object.entries(fields), ...list].filter(
      ([field, value]) => !isNewer(field) && !isStoredAlike(published[field], value),
    ),
    ...Object.entries(stamps)
      .filter(([field, stamp]) => stamp > seen(field))
      .map(([field, stamp]) => [`_stamps.${field}`, stamp] as const),
    ['_revision', Math.max(published._revision + 1, revision)],
  ])
}
