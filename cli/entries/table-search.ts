import type { GivenService } from '../admin-service.js'

/** Options of both `quire entries export` and `quire entries import`. */
export type Table = GivenService &
  Readonly<{
    type: string
    format?: string
    delimiter: string
    status: string
    locale?: string
  }>

/** Returns the query string for `/admin/content/:uid/export` and `/admin/content/:uid/import`. */
export function searchOf(
  { format, delimiter, status, locale }: Table,
  file: string | undefined,
  options: Readonly<Record<string, string | undefined>>,
  filters?: string,
): string {
  const search = new URLSearchParams(filters)
  const ending = /\.(csv|json|jsonl)$/.exec(file ?? '')?.[1]
  const parameters = { format: format ?? ending ?? 'csv', delimiter, status, locale, ...options }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) search.set(name, value)
  return search.toString()
}
