import type { Services } from '../lifecycle/services.js'
import type { Column } from './columns.js'
import { findReferences, type Found } from './find-references.js'
import type { Fault, Given, Understood } from './read-row.js'

/** By column and locale, what unique values of its cells stand for. */
export type References = ReadonlyMap<string, Found>

const keyOf = ({ header }: Column, locale: string | undefined): string => `${header} ${locale}`

/** What the rows name by unique attributes of their targets. Throws what is no fault of a row, such as 503. */
export async function findAll(
  services: Services,
  rows: readonly (Understood | Fault)[],
): Promise<References> {
  type Wanted = { by: NonNullable<Column['by']>; locale: string | undefined; texts: string[] }
  const wanted = new Map<string, Wanted>()
  for (const row of rows) {
    if ('fault' in row) continue
    for (const { column, value } of row.given) {
      const { by } = column
      if (by === undefined) continue
      const key = keyOf(column, row.locale)
      const one = wanted.get(key) ?? { by, locale: row.locale, texts: [] }
      wanted.set(key, one)
      one.texts.push(...textsIn(value))
    }
  }
  const found = [...wanted].map(
    async ([key, { by, locale, texts }]) =>
      [key, await findReferences(services, by, texts, locale)] as const,
  )
  return new Map(await Promise.all(found))
}

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  )

/**
 * References by documentId, whatever they were told by.
 * @param faults gets what cannot be found
 */
export function named(
  { column, value }: Given,
  { locale }: Understood,
  found: References,
  faults: string[],
): unknown {
  const { by, header } = column
  if (by === undefined || value === null) return value
  const names = found.get(keyOf(column, locale))
  const one = (text: unknown): unknown => {
    const target = names?.get(String(text))
    if (target !== undefined && 'documentId' in target) return target.documentId
    const said = JSON.stringify(text) ?? 'nothing'
    const missing = `there is no ${by.target.uid} whose ${by.attribute} is ${said.slice(0, 200)}`
    faults.push(`${header}: ${target?.refused ?? missing}`)
    return undefined
  }
  return Array.isArray(value) ? value.map(one) : one(value)
}
