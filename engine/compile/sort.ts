import type { Document } from 'mongodb'
import type { Link, SortKey } from '../plan/read-plan.js'

/**
 * The stages that sort. A key through links is looked up first: a list cannot be sorted by a relation's
 * field otherwise, and it has to be known of every entry before the page is cut.
 */
export function compileSort(keys: readonly SortKey[]): Document[] {
  const lookups: Document[] = []
  const order: Record<string, 1 | -1> = {}
  for (const [index, key] of keys.entries()) {
    if (key.through.length === 0) {
      order[key.path] = key.direction
      continue
    }
    const name = `_sort${index}`
    const extreme = key.direction === 1 ? '$min' : '$max'
    lookups.push(compileLookup(key.through, key.path, name), {
      $set: { [name]: { [extreme]: `$${name}.value` } },
    })
    order[name] = key.direction
  }
  return [...lookups, { $sort: order }]
}

/** The values at `path` behind `links`, as a list of `{ value }` in the field `name`. */
function compileLookup([link, ...rest]: readonly Link[], path: string, name: string): Document {
  if (link === undefined) throw new Error('A lookup needs a link')
  const last = rest.length === 0
  const stages = last
    ? [{ $project: { _id: 0, value: `$${path}` } }]
    : [
        compileLookup(rest, path, 'next'),
        { $unwind: '$next' },
        { $project: { _id: 0, value: '$next.value' } },
      ]
  const [localField, foreignField] =
    link.stored === 'here'
      ? [`${link.path}.documentId`, 'documentId']
      : ['documentId', `${link.path}.documentId`]
  return {
    $lookup: {
      from: link.collection,
      localField,
      foreignField,
      ...(link.locale.kind === 'same' ? { let: { locale: '$locale' } } : {}),
      pipeline: [...compileLocale(link), ...stages],
      as: name,
    },
  }
}

function compileLocale({ locale }: Link): Document[] {
  switch (locale.kind) {
    case 'none':
      return []
    case 'fixed':
      return [{ $match: { locale: locale.code } }]
    case 'same':
      return [{ $match: { $expr: { $eq: ['$locale', '$$locale'] } } }]
  }
}
