import { fail } from '../../../engine/errors.js'

/**
 * A query string of Strapi's panel in the words of the content API: `page` and `pageSize` are parts of `pagination`,
 * `folder` is a filter, and what is populated by default is beside what is named. Throws `validation`.
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

/** The same of folders, which are listed without pages, each with how much is in it. */
export function readFolderSearch(search: string, id?: number): string {
  const parts = split(search).rest.filter((part) => !isPaginationOfAll(part))
  if (id !== undefined) parts.push(`filters[id]=${id}`)
  return [...parts, 'populate[children][count]=true&populate[files][count]=true'].join('&')
}

/** As in Strapi's other lists for admins. */
const maxPageSize = 100

/** `rest`: the other parameters as they came, with lists of names to populate one by one. */
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

/** `populate=parent,files` beside `populate[children][count]=true`. */
const populated = (names: string): readonly string[] =>
  names
    .split(',')
    .filter((name) => name !== '' && name !== '*')
    .map((name) => `populate[${encodeURIComponent(name)}]=true`)

/**
 * `filters[folderPath]=/`, and what begins so: nothing is stored of a file that was never put anywhere, which stands at
 * the root like those that were. Undefined where a parameter is none of these.
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

/** `pagination[pageSize]=-1`, with which the panel asks for all. */
const isPaginationOfAll = (part: string): boolean => {
  const [[name, value] = ['', '']] = new URLSearchParams(part)
  return name === 'pagination[pageSize]' && value === '-1'
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw fail('validation', `${name} must be a positive integer`)
}
