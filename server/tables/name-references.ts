import type { Services } from '../services.js'
import type { Column } from './columns.js'
import { findReferences, type Found, type LookupResult } from './find-references.js'
import type { Fault, ColumnValue, ParsedRow } from './read-row.js'

/** The entries that cells name, by column and locale. */
export type References = ReadonlyMap<string, Found>

const keyOf = ({ header }: Column, locale: string | undefined): string => `${header} ${locale}`

/** Finds all entries that rows name. Throws errors that no row caused, such as 503. */
export async function findAll(
  services: Services,
  rows: readonly (ParsedRow | Fault)[],
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
      one.texts.push(...textsIn(value).filter((text) => !isId(text, by)))
    }
  }
  const found = [...wanted].map(async ([key, { by, locale, texts }]) => {
    const all = await Promise.all(
      by.attributes.map((attribute) =>
        findReferences(services, { target: by.target, attribute }, texts, locale),
      ),
    )
    // If entries match in several attributes, the first one of the definition takes precedence.
    const pairs = all.toReversed().flatMap((found) => [...found])
    const [refused, there] = [pairs.filter((pair) => !isThere(pair)), pairs.filter(isThere)]
    return [key, new Map([...refused, ...there])] as const
  })
  return new Map(await Promise.all(found))
}

const isThere = ([, stands]: readonly [string, LookupResult]): boolean => 'documentId' in stands

/** Whether a value is an id or documentId, as in a body of the API. */
const isId = (value: unknown, { orId }: NonNullable<Column['by']>): boolean =>
  orId && (typeof value === 'object' || /^(?:[a-z0-9]{24}|\d+)$/.test(`${value as string}`))

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  )

/**
 * Returns the value of a column, in which references are replaced by documentIds.
 * @param problems gets a message for each entry that does not exist
 */
export function named(
  { column, value }: ColumnValue,
  { locale }: ParsedRow,
  found: References,
  problems: string[],
): unknown {
  const { by, header } = column
  if (by === undefined || value === null) return value
  const names = found.get(keyOf(column, locale))
  const one = (text: unknown): unknown => {
    if (isId(text, by)) return text
    const target = names?.get(String(text))
    if (target !== undefined && 'documentId' in target) return target.documentId
    const shown = JSON.stringify(text) ?? 'nothing'
    const attributes = by.attributes.join(' or ')
    const missing = `there is no ${by.target.uid} whose ${attributes} is ${shown.slice(0, 200)}`
    problems.push(`${header}: ${by.orId ? missing : (target?.refused ?? missing)}`)
    return undefined
  }
  return Array.isArray(value) ? value.map(one) : one(value)
}
