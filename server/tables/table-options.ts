import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { fail } from '../../engine/errors.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { delimiters, tableFormats } from './write-table.js'

const ofBoth = ['format', 'delimiter', 'status', 'locale'] as const
const names = {
  export: [...ofBoth, 'bom', 'by', 'filters'],
  import: [...ofBoth, 'dryRun', 'from'],
} as const

/**
 * Reads the options of an export or import.
 * @throws ApiError 400 for an unknown or invalid option
 */
export function readTableOptions(search: string, purpose: 'export' | 'import') {
  const known: readonly string[] = names[purpose]
  const given = new URLSearchParams(search)
  const filters: (readonly [string, string])[] = []
  for (const [name, value] of given) {
    if (purpose === 'export' && name.startsWith('filters[')) filters.push([name, value])
    else if (!known.includes(name) || name === 'filters')
      throw fail(
        'invalid-key',
        { key: name },
        { key: name, path: null, ...of(name), ...suggestionFor(name, known) },
      )
  }
  const one = <T extends string>(name: string, choices: readonly T[], otherwise: T): T => {
    const text = given.get(name) ?? otherwise
    const found = choices.find((choice) => choice === text)
    if (found !== undefined) return found
    const message = `${name} must be one of ${choices.join(', ')}`
    throw fail('validation', message, { ...of(name), ...suggestionFor(text, choices) })
  }
  const flags = ['true', 'false'] as const
  const from = Number(given.get('from') ?? 1)
  if (!Number.isSafeInteger(from) || from < 1)
    throw fail('validation', 'from must be the number of a row', of('from'))
  return {
    filters,
    from,
    /** Unique attributes by which the table names the targets of relations. */
    by: readBy(given.get('by')),
    format: one('format', tableFormats, 'csv'),
    delimiter: one('delimiter', delimiters, ','),
    status: one('status', ['draft', 'published'], 'published'),
    locale: given.get('locale') ?? undefined,
    bom: one('bom', flags, 'false') === 'true',
    dryRun: one('dryRun', flags, 'false') === 'true',
  }
}

const of = (param: string) => ({ source: 'query', param }) as const

/** Reads `author=email,tags=slug`. */
function readBy(text: string | null): ReadonlyMap<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '')
  return new Map(
    pairs.map((pair) => {
      const [name, attribute, ...more] = pair.split('=')
      if (name === undefined || attribute === undefined || more.length > 0)
        throw fail('validation', 'by must be like author=email,tags=slug', of('by'))
      return [name, attribute] as const
    }),
  )
}

/** Returns a collection type by uid or API name. Throws `not-found` otherwise. */
export function tableType({ contentTypes, byApiName }: Registry, name: string): ContentType {
  const tables = [...contentTypes.values()].filter(
    ({ origin, kind }) => origin === 'api' && kind === 'collectionType',
  )
  const found =
    tables.find(({ uid }) => uid === name) ??
    tables.find(({ singularName }) => singularName === name) ??
    tables.find((type) => type === byApiName.get(name.toLowerCase()))
  if (found !== undefined) return found
  const message = `There is no collection type ${name.slice(0, 100)}`
  const suggestion = suggestionFor(
    name,
    tables.flatMap(({ uid, singularName }) => [uid, singularName]),
  )
  throw fail('not-found-because', message, suggestion)
}
