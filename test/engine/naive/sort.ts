import type { ScalarType } from '../../../engine/schema/attribute.js'
import { behind, join } from './follow.js'
import { compare, scalarOf, scalarTypeOf } from './values.js'
import type { Row, View } from './world.js'

/** Rows in the order of the keys; equal ones keep their place. */
export function sorted(view: View, rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  return keys.toReversed().reduce((ordered, key) => {
    const [path = '', order] = key.split(':')
    const down = order === 'desc'
    return ordered
      .map((row) => ({ row, ...extreme(view, row, path.split('.'), down) }))
      .toSorted((a, b) => compare(a.type, a.value, b.value) * (down ? -1 : 1))
      .map(({ row }) => row)
  }, rows)
}

/** The same, ended by the record id in the direction of the last key that is not there twice (D12). */
export function sortedEntries(
  view: View,
  rows: readonly Row[],
  keys: readonly string[],
): readonly Row[] {
  const paths = keys.map(pathOf)
  const last = keys.filter((_, index) => paths.indexOf(paths[index] ?? '') === index).at(-1)
  return sorted(view, rows, [...keys, last?.endsWith(':desc') === true ? 'id:desc' : 'id'])
}

const pathOf = (key: string): string => key.split(':')[0] ?? ''

/** Of all that is behind a path the value that comes first: a row has one place in a list. */
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
