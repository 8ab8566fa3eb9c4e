import type { ContentChange } from '../../engine/schema/compare/content-changes.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { maxNamed, valuesAt, valueTypes } from './content-counter.js'
import { bounded, isHidden, listed, shown } from './effect-values.js'
import type { Found, Scope } from './schema-effect.js'

/** Finds values that must become unique, but occur in several entries or twice in one. */
export async function duplicates(
  change: Extract<ContentChange, { kind: 'unique' | 'unique-in-components' }>,
  { counter, after }: Scope,
): Promise<Found | undefined> {
  const { kind, attribute } = change
  const collection =
    kind === 'unique' ? change.collection : (change.places[0]?.collections.at(-1) ?? '')
  const values =
    kind === 'unique'
      ? valuesInIndex(change.index)
      : change.places.flatMap((place, at) => {
          const pipeline = valuesAt(place, { $type: valueTypes })
          return at === 0 ? pipeline : [{ $unionWith: { coll: collection, pipeline } }]
        })
  const found = await counter.first(collection, [
    ...values,
    { $group: { _id: { value: '$value', locale: '$locale' }, count: { $sum: 1 } } },
    { $match: { count: { $gt: 1 } } },
    { $sort: { _id: 1 } },
  ])
  const path = `attributes.${attribute.name}.${isReferring(attribute) ? 'relation' : 'unique'}`
  if (found === undefined)
    return { path, message: 'the check for unique values did not finish in time' }
  if (found.length === 0) return undefined
  const formatValue = isHidden(attribute, after) ? () => 'a private value' : shown
  const lines: string[] = []
  for (const { _id } of found.slice(0, maxNamed)) {
    const { value, locale } = _id as Readonly<{ value: unknown; locale?: unknown }>
    const same = { $match: { value: { $eq: value }, locale: { $eq: locale ?? null } } }
    const rows = await counter.first(collection, [
      ...values,
      same,
      { $group: { _id: '$documentId' } },
      { $sort: { _id: 1 } },
    ])
    const documents = bounded((rows ?? []).map(({ _id: id }) => String(id)))
    const where = typeof locale === 'string' ? ` in locale ${locale}` : ''
    const entries = listed(documents.names, documents.more)
    lines.push(
      attribute.type === 'relation'
        ? `${formatValue(value)}${where} is the target of ${entries}`
        : `${formatValue(value)}${where} (${entries})`,
    )
  }
  const more = found.length > maxNamed
  if (kind === 'unique' && attribute.type === 'relation')
    return {
      path,
      ...{ count: lines.length, more, refused: true },
      message: `the relation cannot become oneToOne, because entries of ${change.uid} share a target of ${attribute.target}: ${listed(lines, more, '; ')}. Start with the former definitions and leave each target to one entry there, or let the relation be manyToOne`,
    }
  const refused = kind === 'unique'
  const advice = refused
    ? 'Change them, or remove "unique"'
    : 'They stay as they are, and their entries can be saved as long as the value is not sent'
  return {
    path,
    ...{ count: lines.length, more, refused },
    message: `it ${refused ? 'cannot be unique, because' : 'is unique now, but'} documents in "${collection}" have the same value: ${listed(lines, more, '; ')}. ${advice}`,
  }
}

const valuesInIndex = ({
  fields,
  partial,
}: Extract<ContentChange, { kind: 'unique' }>['index']) => [
  { $match: partial === undefined ? {} : { [partial.field]: { $gte: partial.least } } },
  { $project: { value: `$${fields[0] ?? ''}`, locale: 1, documentId: 1 } },
]
