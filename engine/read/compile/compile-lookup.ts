import type { Document } from 'mongodb'
import { modifiedField } from '../../values/modified.js'
import { referencesField, referenceText } from '../../values/references.js'
import type { BoundCondition } from '../plan/bound-query.js'
import type { Link, LocaleRule, ReadPlan } from '../plan/read-plan.js'

/**
 * Compiles the condition on `locale` that visible targets match. `parents` are the locales of the sources; null if they
 * are not known.
 */
export function compileLocale(rule: LocaleRule, parents: readonly string[] | null): Document {
  switch (rule.kind) {
    case 'none':
      return {}
    case 'fixed':
      return { locale: rule.code }
    case 'any':
    case 'first':
    case 'other':
      return { locale: { $in: rule.among } }
    case 'same':
      if (parents === null) return {}
      return { locale: parents.length === 1 ? parents[0] : { $in: parents } }
  }
}

/** Compiles the stage that returns a document for each element of a list, or one if the list is empty or missing. */
export const unwind = (path: string): Document => ({
  $unwind: { path: `$${path}`, preserveNullAndEmptyArrays: true },
})

/** Whether entries of different locales see different targets. */
export function dependsOnParent({ locale }: Link): boolean {
  return locale.kind === 'same' || locale.kind === 'other'
}

/** Expression: the documentId to which a target refers, or a list of them. Ignores references with another `__type`. */
export function compileReferred({ path, type }: Link): unknown {
  if (type === undefined) return `$${path}.documentId`
  const references = {
    $cond: [{ $isArray: [`$${path}`] }, `$${path}`, [{ $ifNull: [`$${path}`, {}] }]],
  }
  const isOfType = { $eq: ['$$this.__type', { $literal: type }] }
  return {
    $map: { input: { $filter: { input: references, cond: isOfType } }, in: '$$this.documentId' },
  }
}

/** Matches references with the link's `type`, if the targets store the references, and these are polymorphic. */
export function compileType({ stored, path, type }: Link): Document {
  return stored === 'there' && type !== undefined ? { [`${path}.__type`]: type } : {}
}

/**
 * Compiles the stages that look up the targets of the current document.
 * @param within path of the components that contain the reference, with a dot at its end; empty if there are none
 */
export function compileLookup(
  link: Link,
  pipeline: Document[],
  as: string,
  within = '',
): Document[] {
  if (link.stored === 'there' && link.listed === true)
    return compileListedLookup(link, pipeline, as)
  const [localField, foreignField] =
    link.stored === 'here'
      ? [`${within}${link.path}.documentId`, 'documentId']
      : ['documentId', link.stored === 'there' ? `${link.path}.documentId` : 'documentId']
  return [
    {
      $lookup: {
        from: link.collection,
        localField,
        foreignField,
        ...(dependsOnParent(link) ? { let: { locale: '$locale' } } : {}),
        pipeline: [...seenFrom(link), ...ofType(link), ...pipeline],
        as,
      },
    },
  ]
}

/**
 * Looks up entries by their list `_refs`, which has an index. The list may be outdated, so the pipeline also tests the
 * relation itself.
 */
function compileListedLookup(link: Link, pipeline: Document[], as: string): Document[] {
  const text = `${as}_text`
  const references = { $ifNull: [`$${link.path}.documentId`, []] }
  const all = { $cond: [{ $isArray: [references] }, references, [references]] }
  return [
    { $set: { [text]: { $concat: [{ $literal: referenceText(link.path, '') }, '$documentId'] } } },
    {
      $lookup: {
        from: link.collection,
        localField: text,
        foreignField: referencesField,
        let: { locale: '$locale', documentId: '$documentId' },
        pipeline: [
          { $match: { $expr: { $in: ['$$documentId', all] } } },
          ...seenFrom(link),
          ...pipeline,
        ],
        as,
      },
    },
  ]
}

/**
 * Matches entries whose list `_refs` contains one of the documents. The list may be outdated, so also match the
 * relation itself.
 */
export function compileListed(
  { listed, path }: Pick<Link, 'listed' | 'path'>,
  documentIds: readonly string[],
): Document {
  if (listed !== true) return {}
  return { [referencesField]: { $in: documentIds.map((id) => referenceText(path, id)) } }
}

function ofType(link: Link): Document[] {
  const match = compileType(link)
  return Object.keys(match).length === 0 ? [] : [{ $match: match }]
}

/** Compiles the stages that keep only the targets that an entry in the locale `$$locale` sees. */
function seenFrom({ collection, locale: rule }: Link): Document[] {
  switch (rule.kind) {
    case 'none':
      return []
    case 'fixed':
      return [{ $match: { locale: rule.code } }]
    case 'any':
      return [{ $match: { locale: { $in: rule.among } } }]
    case 'first':
      return [{ $match: { locale: { $in: rule.among } } }, ...keepFirst(collection, rule.among)]
    case 'same':
      return [{ $match: { $expr: { $eq: ['$locale', '$$locale'] } } }]
    case 'other':
      return [{ $match: { locale: { $in: rule.among }, $expr: { $ne: ['$locale', '$$locale'] } } }]
  }
}

/** Compiles the stages that keep one version of each document: the one whose locale comes first in `among`. */
function keepFirst(collection: string, among: readonly string[]): Document[] {
  const ofDocument = { from: collection, localField: 'documentId', foreignField: 'documentId' }
  const pipeline = [{ $project: { _id: 0, locale: 1 } }]
  const there = {
    $filter: { input: { $literal: among }, cond: { $in: ['$$this', '$_in.locale'] } },
  }
  return [
    { $lookup: { ...ofDocument, pipeline, as: '_in' } },
    { $match: { $expr: { $eq: ['$locale', { $first: there }] } } },
  ]
}

/** Returns the stages of `keepFirst` for entries. Returns none if there are no fallback locales. */
export const keepVisibleVersions = ({
  collection,
  chain,
}: Pick<ReadPlan, 'collection' | 'chain'>): Document[] =>
  chain === undefined ? [] : keepFirst(collection, chain)

/** Returns the stages of `keepFirst` for targets. Returns none if there are no fallback locales. */
export const keepVisibleTargets = ({ collection, locale }: Link): Document[] =>
  locale.kind === 'first' ? keepFirst(collection, locale.among) : []

/** Expression: whether a draft is modified (docs/internals/storage.md, "Modified drafts"). */
const isModified = (draft: string, published: string): Document => ({ $gt: [draft, published] })

/** Reads a single `_id`, to test whether any document exists. */
export const oneId = [{ $limit: 1 }, { $project: { _id: 1 } }]

/** Compiles the stages that keep only published versions whose draft is modified. They look up each draft. */
export function compileModifiedTargets(drafts: string, { locale }: Link): Document[] {
  const isSeen = locale.kind === 'none' ? [] : [{ $eq: ['$locale', '$$locale'] }]
  const isLater = { $and: [...isSeen, isModified('$updatedAt', '$$updatedAt')] }
  const draft = {
    $lookup: {
      from: drafts,
      localField: 'documentId',
      foreignField: 'documentId',
      let: { locale: '$locale', updatedAt: '$updatedAt' },
      pipeline: [{ $match: { $expr: isLater } }, ...oneId],
      as: '_draft',
    },
  }
  return [draft, { $match: { _draft: { $ne: [] } } }]
}

/**
 * Compiles a lookup of the published version, and the test of whether the draft is newer. A lookup with a pipeline
 * would take ten times as long.
 */
export function compileEarlier(
  { collection, locale }: Link,
  as: string,
): Readonly<{ lookup: Document; isEarlier: Document }> {
  const ofDocument = { from: collection, localField: 'documentId', foreignField: 'documentId' }
  const seen = expressLocale(locale, '$$this.locale')
  const isLater = isModified('$updatedAt', '$$this.updatedAt')
  const each = { $map: { input: `$${as}`, in: { $and: [...seen, isLater] } } }
  return { lookup: { $lookup: { ...ofDocument, as } }, isEarlier: { $anyElementTrue: [each] } }
}

/** Returns boolean expressions. If all are true, the current document sees a version in the locale `code`. */
function expressLocale(rule: LocaleRule, code: string): Document[] {
  switch (rule.kind) {
    case 'none':
      return []
    case 'fixed':
      return [{ $eq: [code, { $literal: rule.code }] }]
    case 'any':
    case 'first':
      return [{ $in: [code, { $literal: rule.among }] }]
    case 'same':
      return [{ $eq: [code, '$locale'] }]
    case 'other':
      return [{ $in: [code, { $literal: rule.among }] }, { $ne: [code, '$locale'] }]
  }
}

/** Matches drafts that are marked as modified, and are newer than their published version. */
export function markedAndLater(link: Link): BoundCondition {
  const isMarked: BoundCondition = {
    kind: 'test',
    path: modifiedField,
    test: { op: 'in', values: [{ as: 'boolean', value: true }] },
  }
  return {
    kind: 'all',
    of: [isMarked, { kind: 'joined', link, test: { kind: 'earlier' } }],
  }
}

/**
 * Compiles the stages that read the keys of modified drafts. They compare drafts that are marked as modified with their
 * published versions.
 */
export function compileMarked(link: Link, limit: number): Document[] {
  const version = { documentId: 1, ...(dependsOnParent(link) ? { locale: 1 } : {}) }
  const { lookup, isEarlier } = compileEarlier(link, '_shown')
  return [
    { $match: { [modifiedField]: true, ...compileLocale(link.locale, null) } },
    { $project: { _id: 0, ...version, updatedAt: 1 } },
    lookup,
    { $match: { $expr: isEarlier } },
    { $limit: limit },
    { $project: version },
  ]
}
