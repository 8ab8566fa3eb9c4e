import type { Document } from 'mongodb'
import { fail } from '../../errors.js'
import { referencesField, referenceText } from '../../values/references.js'
import type { Link, LinkPlace } from '../plan/read-plan.js'

/** Texts that one command may ask for: some megabytes. */
const maxTexts = 100_000

/**
 * Condition: the list of an entry has a reference to one of the documents in one of the places of a link. Throws 400
 * for more documents and places than a command may name.
 */
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

/**
 * Expression: the references that an entry has in the places of a link. It goes by what is stored: what an entry lists
 * may be more.
 */
export function compileUsed({ places = [] }: Link): Document {
  return { $concatArrays: places.map(referencesAt) }
}

function referencesAt({ segments, field }: LinkPlace): Document {
  let holders: unknown
  for (const { field: step, component } of segments) {
    const values = valuesIn(holders, step)
    const isOf = { $eq: ['$$this.__component', { $literal: component }] }
    holders = component === undefined ? values : { $filter: { input: values, cond: isOf } }
  }
  return valuesIn(holders, field)
}

/** What a field of an entry, or of the values of a component in it, holds: a list of it, of one, or of null. */
function valuesIn(holders: unknown, field: string): Document {
  if (holders === undefined) return listOf(`$${field}`)
  const joined = { $concatArrays: ['$$value', listOf(`$$this.${field}`)] }
  return { $reduce: { input: holders, initialValue: [], in: joined } }
}

const listOf = (value: string): Document => ({ $cond: [{ $isArray: [value] }, value, [value]] })
