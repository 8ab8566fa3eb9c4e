import type { Document } from 'mongodb'
import type { Link } from '../plan/read-plan.js'
import { compileLocale, dependsOnHolder } from './link.js'

/** How it is kept so that this says it: docs/storage.md, "Modified drafts". */
const isModified = (draft: string, published: string): Document => ({ $gt: [draft, published] })

/** Of a document that is found, or a list of them, all that a mark needs. */
export const oneId = [{ $limit: 1 }, { $project: { _id: 1 } }]

/** Of published versions those whose draft is modified, each by a look at its draft. */
export function compileModifiedTargets(drafts: string): Document[] {
  const isLater = {
    $and: [{ $eq: ['$locale', '$$locale'] }, isModified('$updatedAt', '$$updatedAt')],
  }
  const draft = {
    $lookup: {
      ...{ from: drafts, localField: 'documentId', foreignField: 'documentId' },
      let: { locale: '$locale', updatedAt: '$updatedAt' },
      pipeline: [{ $match: { $expr: isLater } }, ...oneId],
      as: '_draft',
    },
  }
  return [draft, { $match: { _draft: { $ne: [] } } }]
}

/**
 * The keys of all of them: both collections are gone through once, and their versions put together.
 */
export function compileModified(link: Link, drafts: string, limit: number): Document[] {
  const version = { documentId: 1, locale: 1 }
  const match = { $match: compileLocale(link.locale, null) }
  return [
    match,
    { $project: { ...version, published: '$updatedAt' } },
    {
      $unionWith: {
        coll: drafts,
        pipeline: [match, { $project: { ...version, draft: '$updatedAt' } }],
      },
    },
    {
      $group: {
        _id: { key: '$documentId', locale: '$locale' },
        published: { $max: '$published' },
        draft: { $max: '$draft' },
      },
    },
    // Null comes before every date.
    { $match: { published: { $ne: null }, $expr: isModified('$draft', '$published') } },
    { $limit: limit },
    { $project: { _id: dependsOnHolder(link) ? 1 : { key: 1 } } },
  ]
}
