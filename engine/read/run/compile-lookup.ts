import type { Document } from 'mongodb'
import { modifiedField } from '../../values/modified.js'
import { referencesField, referenceText } from '../../values/references.js'
import type { BoundCondition } from './bound-query.js'
import type { Link, LocaleRule, ReadPlan } from '../plan/read-plan.js'

/** `holders`: the locales of the holders; null where they are not known yet. */
export function compileLocale(rule: LocaleRule, holders: readonly string[] | null): Document {
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
      if (holders === null) return {}
      return { locale: holders.length === 1 ? holders[0] : { $in: holders } }
  }
}

/** Whether holders of different locales see different targets. */
export function dependsOnHolder({ locale }: Link): boolean {
  return locale.kind === 'same' || locale.kind === 'other'
}

/**
 * Expression: the documentIds that targets (`there`) refer to through a link, one or a list. A polymorphic reference
 * counts where it is to an entry of the holders' type.
 */
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

/** Leaves out targets that refer to entries of other types alone. */
export function compileType({ stored, path, type }: Link): Document {
  return stored === 'there' && type !== undefined ? { [`${path}.__type`]: type } : {}
}

/**
 * A `$lookup` of the targets of the document at hand, each of which `pipeline` goes on with. `within` is the
 * path of the components that hold the reference, with a final dot, or empty.
 */
export function compileLookup(
  link: Link,
  pipeline: Document[],
  as: string,
  within = '',
): Document[] {
  if (link.stored === 'there' && link.listed === true) return lookUpListed(link, pipeline, as)
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
        ...(dependsOnHolder(link) ? { let: { locale: '$locale' } } : {}),
        pipeline: [...seenFrom(link), ...ofType(link), ...pipeline],
        as,
      },
    },
  ]
}

/** Those who list the document at hand, and refer to it as well. */
function lookUpListed(link: Link, pipeline: Document[], as: string): Document[] {
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

/** That entries list one of some documents; whether they refer to it is to be matched beside. */
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

/** Keeps the targets that the holder's locale, `$$locale`, sees. */
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

/**
 * Of versions in some locales, keeps those whose document has none in an earlier one: each looks up the locales of its
 * document, by an index.
 */
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

/** The same stages for the entries of a plan; none if its locales do not fall back. */
export const keepShown = ({
  collection,
  chain,
}: Pick<ReadPlan, 'collection' | 'chain'>): Document[] =>
  chain === undefined ? [] : keepFirst(collection, chain)

/** The same stages for the targets of a link; none if the link has one locale. */
export const keepSeen = ({ collection, locale }: Link): Document[] =>
  locale.kind === 'first' ? keepFirst(collection, locale.among) : []

/** How it is kept so that this says it: docs/storage.md, "Modified drafts". */
const isModified = (draft: string, published: string): Document => ({ $gt: [draft, published] })

/** Of a document that is found, or a list of them, all that a mark needs. */
export const oneId = [{ $limit: 1 }, { $project: { _id: 1 } }]

/** Of published versions those whose draft is modified, each by a look at its draft. */
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
 * Whether the draft at hand has a published version that is earlier: what looks its versions up, and an expression.
 * A `$lookup` with a pipeline takes ten times as long as one without.
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

/** Expressions that hold of a version's locale where the document at hand sees it. */
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

/** Of drafts those that are marked, and were written after the version that is linked. */
export function markedAndLater(link: Link): BoundCondition {
  const isMarked: BoundCondition = {
    kind: 'test',
    path: modifiedField,
    test: { op: 'in', values: [{ as: 'boolean', value: true }] },
  }
  return {
    kind: 'all',
    of: [isMarked, { kind: 'joined', link, asks: { kind: 'earlier' } }],
  }
}

/** The keys of all drafts that are marked and modified: each is compared with its published version. */
export function compileMarked(link: Link, limit: number): Document[] {
  const version = { documentId: 1, ...(dependsOnHolder(link) ? { locale: 1 } : {}) }
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
