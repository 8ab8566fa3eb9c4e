import type { Document } from 'mongodb'
import { fail } from '../../errors.js'
import { referencesField, referenceText } from '../../values/references.js'
import type { Link, LinkPlace } from '../plan/read-plan.js'

/** Maximum number of reference strings in one command, a few megabytes. */
const maxTexts = 100_000

/** Matches entries that refer to one of the documents (`Link.places`). Throws 400 beyond `maxTexts`. */
export function compileUses({ places = [] }: Link, documentIds: readonly string[]): Document {
  if (places.length * documentIds.length > maxTexts) {
    throw fail('limit-exceeded', {
      what: 'The number of places in which files are looked for',
      bound: 'populate',
      limit: maxTexts,
    })
  }
  const texts = places.flatMap(({ text }) => documentIds.map((id) => referenceText(text, id)))
  return { [referencesField]: { $in: texts } }
}

/** Expression: the references that an entry stores for a link. Does not use `_refs`, which may be outdated. */
export function compileUsed({ places = [] }: Link): Document {
  return { $concatArrays: places.map(referencesAt) }
}

function referencesAt({ segments, field }: LinkPlace): Document {
  let parents: unknown
  for (const { field: step, component } of segments) {
    const values = valuesIn(parents, step)
    const isOf = { $eq: ['$$this.__component', { $literal: component }] }
    parents = component === undefined ? values : { $filter: { input: values, cond: isOf } }
  }
  return valuesIn(parents, field)
}

/**
 * Expression: all values of `field` in one list. They are read from the component values `parents` or, if this is
 * undefined, from the entry itself.
 */
function valuesIn(parents: unknown, field: string): Document {
  if (parents === undefined) return listOf(`$${field}`)
  const joined = { $concatArrays: ['$$value', listOf(`$$this.${field}`)] }
  return { $reduce: { input: parents, initialValue: [], in: joined } }
}

const listOf = (value: string): Document => ({ $cond: [{ $isArray: [value] }, value, [value]] })
