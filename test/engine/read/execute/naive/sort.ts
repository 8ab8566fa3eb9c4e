import { behind, join } from './follow.js'
import { compare, scalarOf, scalarTypeOf } from './values.js'
import type { Row, View } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

/** Sorts rows by the keys. Equal rows keep their order. */
export function sorted(view: View, rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  return distinct(keys).reduceRight((ordered, key) => {
    const down = isDown(key)
    return ordered
      .map((row) => ({ row, ...extreme(view, row, pathOf(key).split('.'), down) }))
      .toSorted((a, b) => compare(a.type, a.value, b.value) * (down ? -1 : 1))
      .map(({ row }) => row)
  }, rows)
}

/**
 * Sorts by keys, then by record id in the direction of the last key (docs/internals/decisions.md, "Comparing and
 * sorting").
 */
export function sortedEntries(
  view: View,
  rows: readonly Row[],
  keys: readonly string[],
): readonly Row[] {
  const down = isDown(distinct(keys).at(-1) ?? '')
  return sorted(view, rows, [...keys, down ? 'id:desc' : 'id'])
}

const pathOf = (key: string): string => key.split(':')[0] ?? ''
const isDown = (key: string): boolean => key.endsWith(':desc')

function distinct(keys: readonly string[]): readonly string[] {
  const paths = keys.map(pathOf)
  return keys.filter((key, index) => paths.indexOf(pathOf(key)) === index)
}

/** Of the values behind a path, returns the one that sorts first, because a list contains each row only once. */
function extreme(
  view: View,
  row: Row,
  path: readonly string[],
  down: boolean,
): Readonly<{ type: ScalarType; value: unknown }> {
  const names = path.slice(0, -1)
  const name = path.at(-1) ?? ''
  const structure = names.reduce((here, step) => behind(view, here, step), row.structure)
  const type = scalarTypeOf(structure, name)
  if (type === undefined) throw new Error(`${path.join('.')} cannot be sorted by`)
  const rows = names.reduce((here, step) => here.flatMap((inner) => join(view, inner, step)), [row])
  const values = rows
    .map((inner) => scalarOf(inner, name))
    .toSorted((a, b) => compare(type, a, b) * (down ? -1 : 1))
  return { type, value: values[0] ?? null }
}
