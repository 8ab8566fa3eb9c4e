import type { Document } from 'mongodb'
import type { BoundCondition } from '../plan/bound-condition.js'
import type { Link } from '../plan/read-plan.js'
import { compileCondition } from './join.js'
import { compileLocale, dependsOnHolder } from './link.js'

/** What a row of `compileKeys` holds; `locale` where holders of different locales see different targets. */
export type KeyRow = Readonly<{ key: string; locale: string | null; count: number }>

/** Which keys are asked for. */
export type KeyRange = Readonly<{
  /** References that are looked at; null = all. */
  limit: number | null
  /** Of these targets only; null = of all. */
  among: readonly string[] | null
}>

/**
 * The documentIds by which holders are recognised whose targets satisfy a condition: those of the
 * targets (`here`, `sibling`), or those that the targets refer to (`there`).
 */
export function compileKeys(
  link: Link,
  match: BoundCondition,
  { limit, among }: KeyRange,
): Document[] {
  const { own, joins } = compileCondition(match)
  const locale = compileLocale(link.locale, null)
  const conditions = [locale, among === null ? {} : { documentId: { $in: among } }, own]
  const cut = limit === null ? [] : [{ $limit: limit }]
  const shown = dependsOnHolder(link) ? { locale: 1 } : {}
  const found = [{ $match: allOf(conditions) }, ...joins]
  // A document has one version in a locale, so few targets or none come twice.
  if (link.stored !== 'there') {
    return [...found, ...cut, { $project: { _id: 0, documentId: 1, ...shown } }]
  }
  const key = dependsOnHolder(link) ? { key: '$key', locale: '$locale' } : { key: '$key' }
  return [
    ...found,
    { $project: { _id: 0, key: `$${link.path}.documentId`, ...shown } },
    { $unwind: '$key' },
    ...cut,
    { $group: { _id: key, count: { $sum: 1 } } },
  ]
}

/** A row as it came. */
export function readKeyRow(row: Document): KeyRow {
  const { key, locale } = (row['_id'] ?? {}) as Partial<KeyRow>
  return {
    key: key ?? (row['documentId'] as string),
    locale: locale ?? (row['locale'] as string | undefined) ?? null,
    count: Number(row['count'] ?? 1),
  }
}

function allOf(conditions: readonly Document[]): Document {
  const said = conditions.filter((condition) => Object.keys(condition).length > 0)
  const [only = {}] = said
  return said.length > 1 ? { $and: said } : only
}
