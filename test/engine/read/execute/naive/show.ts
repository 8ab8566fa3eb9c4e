import { isScalar } from '../../../../../engine/schema/attribute.js'
import { satisfies } from './filter.js'
import { follow } from './follow.js'
import { Digits, digitsOf } from './json.js'
import { pageOf } from './page.js'
import { isFile, relatedTo } from './show-related.js'
import { relates } from './publication.js'
import type { Populate, PopulateOptions } from './query.js'
import { sorted, sortedEntries } from './sort.js'
import { scalarOf, scalarTypeOf, shownScalars } from './values.js'
import type { Doc, Row, View } from './world.js'
import { isEntry, listOf } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

export type Format = 'flat' | 'v4'
type Shown = Record<string, unknown>
type Member = Readonly<{ name: string; value: unknown }>
type Options = Pick<PopulateOptions, 'fields' | 'populate'>

/**
 * Returns an entry or component value as a response shows it (docs/internals/decisions.md, "Order of members" and "The
 * older format").
 */
export function show(view: View, row: Row, options: Options, format: Format): Shown {
  const { structure } = row
  const entry = isEntry(structure)
  const head = entry ? ['id', 'documentId'] : ['id']
  const own = shownScalars(structure).map(({ name }) => name)
  const tail = entry ? ['createdAt', 'updatedAt', 'publishedAt'] : []
  if (entry && structure.localized) tail.push('locale')
  const { fields } = options
  const rest = [...own, ...tail].filter((name) => fields === undefined || fields.includes(name))
  const scalars = [...head, ...rest].map((name) => ({ name, value: showScalar(row, name) }))
  const populated = showPopulated(view, row, options.populate ?? [], format)
  const shown: Shown = Object.fromEntries(
    [...scalars, ...populated].map((member) => [member.name, member.value]),
  )
  if (format === 'flat' || !entry) return shown
  const { id, documentId, ...attributes } = shown
  return { id, documentId, attributes }
}

function showScalar(row: Row, name: string): unknown {
  const value = scalarOf(row, name)
  const type = scalarTypeOf(row.structure, name)
  if (value === null) return null
  const exact: Partial<Record<ScalarType, () => unknown>> = {
    biginteger: () => digitsOf(value),
    decimal: () => new Digits(digitsOf(value)),
  }
  return type === undefined ? value : (exact[type]?.() ?? value)
}

function showPopulated(view: View, row: Row, populate: Populate, format: Format): Member[] {
  const asked = askedFor(row, populate)
  const own = [...row.structure.attributes.keys()]
  const names = [...own, 'related', 'createdBy', 'updatedBy', 'localizations']
  return names.flatMap((name) => {
    const options = asked.get(name)
    return options === undefined ? [] : { name, value: showOne(view, row, name, options, format) }
  })
}

function askedFor({ structure }: Row, populate: Populate): ReadonlyMap<string, PopulateOptions> {
  const attributes = [...structure.attributes.values()]
  if (populate === '*') {
    const names = attributes.filter((it) => !isScalar(it) && !it.private).map(({ name }) => name)
    if (isFile(structure)) names.push('related')
    if (isEntry(structure) && structure.localized) names.push('localizations')
    return new Map(names.map((name) => [name, {}]))
  }
  if (!Array.isArray(populate)) {
    return new Map(Object.entries(populate).map(([name, it]) => [name, it === 'true' ? {} : it]))
  }
  const below = new Map<string, string[]>()
  for (const path of populate as readonly string[]) {
    const [name = '', ...rest] = path.split('.')
    below.set(name, [...(below.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  return new Map([...below].map(([name, paths]) => [name, { populate: paths }]))
}

function showOne(
  view: View,
  row: Row,
  name: string,
  options: PopulateOptions,
  format: Format,
): unknown {
  if (name === 'related' && isFile(row.structure)) return showRelated(view, row, options, format)
  const attribute = row.structure.attributes.get(name)
  if (attribute?.type === 'dynamiczone') {
    const values = listOf(row.value?.[attribute.storedAs])
    return showZone(view, row, values, attribute.components, options, format)
  }
  const { filters = {}, sort = [] } = options
  const found = follow(view, row, name)
    .filter((it) => satisfies(view, it, filters))
    .filter((it) => !isEntry(it.structure) || relates(view, it.structure, it))
  if (attribute?.type === 'component') {
    const shown = sorted(view, found, sort).map((it) => show(view, it, options, format))
    return attribute.repeatable ? shown : (shown[0] ?? null)
  }
  if (options.count === 'true') return { count: found.length }
  const ordered = sort.length === 0 ? found : sortedEntries(view, found, sort)
  const of = creator.has(name) ? creatorOptions(options) : options
  const page = pageOf(options.pagination, ordered.length)
  const { start, limit } = options.pagination === undefined ? { start: 0, limit: Infinity } : page
  const shown = ordered.slice(start, start + limit).map((it) => show(view, it, of, format))
  const relation = attribute?.type === 'relation'
  const many =
    name === 'localizations' ||
    (relation && attribute.many) ||
    (attribute?.type === 'media' && attribute.multiple)
  const value = many ? shown : (shown[0] ?? null)
  const refined = relation && many && (options.filters !== undefined || sort.length > 0)
  return refined || format === 'v4' ? { data: value } : value
}

function showRelated(view: View, file: Row, { count }: PopulateOptions, format: Format): unknown {
  const found = relatedTo(view, file)
  if (count === 'true') return { count: found.length }
  const shown = found.map((row) => {
    const entry = show(view, row, {}, format)
    const type = { __type: row.structure.uid }
    if (format === 'flat') return { ...entry, ...type }
    return { ...entry, attributes: { ...(entry['attributes'] as Shown), ...type } }
  })
  return format === 'v4' ? { data: shown } : shown
}

const creator = new Set(['createdBy', 'updatedBy'])
/** Members of an admin that responses may show (docs/internals/decisions.md, "Who wrote an entry"). */
const creatorFields = ['firstname', 'lastname', 'username']
const creatorOptions = ({ fields = creatorFields }: PopulateOptions): PopulateOptions => ({
  fields: creatorFields.filter((name) => fields.includes(name)),
})

function showZone(
  view: View,
  { locale }: Row,
  values: readonly Doc[],
  allowed: readonly string[],
  { on, populate, count }: PopulateOptions,
  format: Format,
): unknown {
  if (count === 'true') return { count: values.length }
  const optionsOf = (uid: string): PopulateOptions | undefined => {
    const fragment = on === undefined ? {} : on[uid]
    return fragment === 'true' ? {} : fragment
  }
  const rows = values.flatMap((value) => {
    const structure = view.world.registry.components.get(value['__component'] as string)
    if (structure === undefined || !allowed.includes(structure.uid)) return []
    const options = optionsOf(structure.uid)
    const row = { structure, value, locale }
    return options !== undefined && satisfies(view, row, options.filters ?? {}) ? [row] : []
  })
  // Components of one uid are sorted only among the positions that they already have in the list.
  const places = new Map<string, Row[]>()
  for (const { structure } of rows) {
    if (places.has(structure.uid)) continue
    const own = rows.filter((row) => row.structure === structure)
    places.set(structure.uid, [...sorted(view, own, optionsOf(structure.uid)?.sort ?? [])])
  }
  return rows.flatMap(({ structure }) => {
    const row = places.get(structure.uid)?.shift()
    if (row === undefined) return []
    const options = optionsOf(structure.uid) ?? {}
    const named =
      on !== undefined || !Array.isArray(populate)
        ? (options.populate ?? populate)
        : populate.filter((path: string) => structure.attributes.has(path.split('.')[0] ?? ''))
    const own = { ...options, ...(named === undefined ? {} : { populate: named }) }
    return [{ ...show(view, row, own, format), __component: structure.uid }]
  })
}
