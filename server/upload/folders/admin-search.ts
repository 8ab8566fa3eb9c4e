import { fail } from '../../../engine/errors.js'

/**
 * Translates a query string of Strapi's panel: `page` and `pageSize` become `pagination`, `folder` a filter. Throws
 * `validation`.
 */
export function readFileSearch(search: string): string {
  const { page, pageSize, folder, rest } = split(search)
  const size = Math.min(readCount('pageSize', pageSize ?? '10'), maxPageSize)
  if (folder !== undefined) rest.push(folderFilter(folder))
  return [
    ...rest,
    `pagination[page]=${readCount('page', page ?? '1')}&pagination[pageSize]=${size}`,
    'populate[folder]=true',
  ].join('&')
}

/** Translates a query string of Strapi's panel for folders: removes pagination, adds counts of folders and files. */
export function readFolderSearch(search: string, id?: number): string {
  const parts = split(search).rest.filter((part) => !isPaginationOfAll(part))
  if (id !== undefined) parts.push(`filters[id]=${id}`)
  return [...parts, 'populate[children][count]=true&populate[files][count]=true'].join('&')
}

/** As in Strapi's other lists for admins. */
const maxPageSize = 100

/** Splits a query string into `page`, `pageSize`, `folder` and the `rest`, with one parameter per populated name. */
function split(search: string) {
  const found: { page?: string; pageSize?: string; folder?: string } = {}
  const rest: string[] = []
  for (const part of search.split('&')) {
    const [[name, value] = ['', '']] = new URLSearchParams(part)
    if (name === 'page' || name === 'pageSize' || name === 'folder') found[name] = value
    else if (/^populate(\[\d*\])?$/.test(name)) rest.push(...populated(value))
    else if (part !== '') rest.push(rootFilter(name, value) ?? part)
  }
  return { ...found, rest }
}

/** One `populate` per name, because `populate=parent,files` and `populate[children][count]=true` cannot be combined. */
const populated = (names: string): readonly string[] =>
  names
    .split(',')
    .filter((name) => name !== '' && name !== '*')
    .map((name) => `populate[${encodeURIComponent(name)}]=true`)

/**
 * Translates `[folderPath]=/` and `[folderPath][$startsWith]=/` to filters that also match files without a stored path,
 * which were never put into a folder. Returns undefined for other parameters.
 */
function rootFilter(name: string, value: string): string | undefined {
  const [, path = '', operator] =
    /^(filters(?:\[[^\]]*\])*)\[folderPath\](?:\[(\$eqi?|\$startsWithi?)\])?$/.exec(name) ?? []
  if (path === '' || value !== '/') return undefined
  return operator?.startsWith('$startsWith') === true
    ? `${path}[id][$notNull]=true`
    : `${path}[folder][id][$null]=true`
}

const folderFilter = (folder: string): string =>
  folder === 'null' || folder === ''
    ? 'filters[folder][id][$null]=true'
    : `filters[folder][id]=${encodeURIComponent(folder)}`

/** With `pagination[pageSize]=-1`, the panel requests all entries. */
const isPaginationOfAll = (part: string): boolean => {
  const [[name, value] = ['', '']] = new URLSearchParams(part)
  return name === 'pagination[pageSize]' && value === '-1'
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw fail('validation', `${name} must be a positive integer`)
}
