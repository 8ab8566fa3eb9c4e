import type { Document } from 'mongodb'
import type { KeyRow } from '../compile/keys.js'
import { readKeyRow } from '../compile/keys.js'
import { dependsOnHolder } from '../compile/link.js'
import type { Keys, LocaleKeys } from '../plan/bound-condition.js'
import type { Link } from '../plan/read-plan.js'
import type { RelationChoice } from '../plan/read-result.js'
import type { Reader } from './reader.js'

export type Binding = Readonly<{
  reader: Reader
  /** Keys that one relation may yield (`ReadPlan.maxKeys`). */
  maxKeys: number
  /** Filled with how each relation was answered. */
  choices: RelationChoice[]
}>

/** Asks for the keys of the holders that have targets which satisfy something: one command. */
export async function readKeys(
  link: Link,
  pipeline: Document[],
  { reader }: Binding,
): Promise<readonly KeyRow[]> {
  const rows = await reader.read(link.collection, pipeline, `filter through ${link.path}`)
  return rows.map(readKeyRow)
}

/** The keys as a condition on the holders; `not`: on those that have none of them. */
export function keysOf(link: Link, rows: readonly KeyRow[], not: boolean): Keys | LocaleKeys {
  const path = link.stored === 'here' ? `${link.path}.documentId` : 'documentId'
  if (!dependsOnHolder(link)) return { kind: 'keys', path, values: rows.map(({ key }) => key), not }
  const values = new Map<string, string[]>()
  for (const { key, locale } of rows) {
    const there = values.get(locale ?? '')
    if (there === undefined) values.set(locale ?? '', [key])
    else there.push(key)
  }
  const of = link.locale.kind === 'same' ? 'same' : 'other'
  return { kind: 'localeKeys', path, values, of, not }
}

/** What an explanation is told. `keys`: how many there are; null = more than `maxKeys`. */
export function choiceOf(link: Link, keys: number | null, maxKeys: number | null): RelationChoice {
  const form = keys === null ? 'lookup' : 'keys'
  return { purpose: 'filter', through: link.path, collection: link.collection, form, keys, maxKeys }
}
