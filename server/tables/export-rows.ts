import { ApiError } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { ReadRequest } from '../content/documents.js'
import { parseTrustedJson } from '../http/request/parse-json.js'
import type { Services } from '../services.js'
import { columnsOf, type Column } from './columns.js'
import { populateOf, rowOf, type Row } from './rows.js'
import { readTableOptions, tableType } from './table-options.js'

/** The client that requests an export. The reads of the export use its share of the read queue. */
type Reader = Pick<ReadRequest, 'signal' | 'client'>

/**
 * Prepares the export of a content-type. The result's `pages` yields the rows.
 * @param name name of the content-type (`tableType`)
 * @param search options as a query string
 * @throws ApiError for an unknown type, column or option
 */
export function createExport(services: Services, name: string, search: string, reader?: Reader) {
  const registry = services.registry()
  const type = tableType(registry, name)
  const options = readTableOptions(search, 'export')
  const columns = columnsOf(type, registry, options.by)
  const pages = exportRows(services, { ...options, type, columns, reader })
  return { ...options, type, columns, pages }
}

type Exported = Pick<ReturnType<typeof readTableOptions>, 'status' | 'locale' | 'filters'> &
  Readonly<{ type: ContentType; columns: readonly Column[]; reader: Reader | undefined }>

/** Entries per read; fewer if they are too large. */
const pageSize = 100

/**
 * Yields the rows page by page, sorted by locale, then by id, so that concurrent writes do not shift pages.
 * @throws ApiError 400 for invalid filters
 */
async function* exportRows(
  { documents, registry, locales }: Services,
  { type, columns, status, locale, filters, reader }: Exported,
): AsyncGenerator<readonly Row[]> {
  const types = registry()
  const all = type.localized ? [...locales().codes].sort() : [undefined]
  const read = async (after: number, of: string | undefined, size: number) => {
    const query = new URLSearchParams({
      'filters[$and][0][id][$gt]': String(after),
      sort: 'id',
      'pagination[start]': '0',
      'pagination[limit]': String(size),
      'pagination[withCount]': 'false',
    })
    for (const [key, value] of populateOf(type, types, columns)) query.append(key, value)
    for (const [key, value] of filters)
      query.append(key.replace(/^filters/, 'filters[$and][1]'), value)
    if (of !== undefined) query.append('locale', of)
    query.append('fallback', 'false')
    if (type.draftAndPublish) query.append('status', status)
    const whole = { grant: fullGrant, envelope: 'content', isOnce: true } as const
    const request: ReadRequest = { search: query.toString(), ...whole, ...reader }
    const { bytes } = await documents.find(type, request)
    const { data } = parseTrustedJson(Buffer.from(bytes).toString()) as {
      data: (Readonly<Record<string, unknown>> & { id: number })[]
    }
    return data
  }
  for (const of of locale === undefined ? all : [locale]) {
    let size = pageSize
    for (let after = 0; ;) {
      const page = await read(after, of, size).catch((error: unknown) => {
        const isTooLarge = error instanceof ApiError && error.code === 'limit-exceeded'
        if (!isTooLarge || size === 1) throw error
        size = Math.ceil(size / 4)
        return undefined
      })
      if (page === undefined) continue
      const last = page.at(-1)
      if (last === undefined) break
      after = last.id
      yield page.map((entry) => rowOf(entry, type, types, columns, status))
    }
  }
}
