import { ObjectId, type Document } from 'mongodb'
import type { Stored } from './sample.js'

/** Returns an id from a small number. Ids have the order of the numbers. */
export const idOf = (number: number): ObjectId =>
  new ObjectId(number.toString(16).padStart(24, '0'))

type Models = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Returns the documents that Strapi 3 stores, given definitions by uid and rows by collection. */
export function makeFormer(
  models: Models,
  rows: Readonly<Record<string, readonly Document[]>>,
): Stored {
  const definitions = Object.entries(models).map(([uid, definition], at) => ({
    _id: idOf(0xf000 + at),
    key: `model_def_${uid}`,
    value: JSON.stringify({ uid, ...definition }),
    ...{ type: 'object', environment: null, tag: null },
  }))
  return new Map([...Object.entries(rows), ['core_store', definitions]])
}
