import qs from 'qs'
import type {
  RawDeepPopulate,
  RawFilter,
  RawPopulate,
  RawPopulateEntry,
  RawPopulateOptions,
  RawQuery,
  RawSort,
} from '../../../../engine/read/parse/raw-query.js'
import { isDeep } from '../../../../engine/read/parse/raw-query.js'

/** Prints a parsed query as a query string, in one of its equivalent forms. */
export function printQuery(query: RawQuery): string {
  const { filters, sort, populate, search, publication, locale, ...rest } = query
  const printed = {
    ...rest,
    ...(filters === undefined ? {} : { filters: printFilter(filters) }),
    ...(sort === undefined ? {} : { sort: orEmpty(sort.map(printSort)) }),
    ...(populate === undefined ? {} : printWhatIsPopulated(populate)),
    ...(locale === undefined ? {} : { locale: orEmpty(locale) }),
    ...(search === undefined ? {} : { _q: search }),
    ...(publication === undefined ? {} : { publicationFilter: publication[0] }),
  }
  return qs.stringify(printed, { strictNullHandling: true })
}

/** Returns an empty string for an empty list, which would otherwise print no parameter. */
const orEmpty = <T>(list: readonly T[]): readonly T[] | '' => (list.length === 0 ? '' : list)

function printFilter(filter: RawFilter): object {
  switch (filter.kind) {
    case 'all':
      return { $and: filter.of.map(printFilter) }
    case 'any':
      return { $or: filter.of.map(printFilter) }
    case 'not':
      return { $not: printFilter(filter.of) }
    case 'at':
      return { [filter.name]: printFilter(filter.of) }
    case 'is':
      return { [filter.operator]: filter.values }
  }
}

function printSort({ path, order }: RawSort): object {
  return path.reduceRight<object | string>((inner, name) => ({ [name]: inner }), order) as object
}

function printWhatIsPopulated(populate: RawPopulate | RawDeepPopulate): object {
  if (!isDeep(populate)) return { populate: printPopulate(populate) }
  const { levels, ignore } = populate
  return { pLevel: levels, ...(ignore.length === 0 ? {} : { pIgnore: ignore }) }
}

function printPopulate(populate: RawPopulate): unknown {
  if (populate === '*' || populate.length === 0) return populate === '*' ? '*' : ''
  return populate.every(({ form }) => form === 'path')
    ? populate.flatMap(printPaths)
    : Object.fromEntries(populate.map(({ name, options }) => [name, printOptions(options)]))
}

/** Returns the dotted paths of an entry, such as `author.avatar` and `author.favorite`. Paths have no other options. */
function printPaths({ name, options }: RawPopulateEntry): readonly string[] {
  const below = (options.populate ?? []) as readonly RawPopulateEntry[]
  if (below.length === 0) return [name]
  return below.flatMap(printPaths).map((path) => `${name}.${path}`)
}

function printOptions(options: RawPopulateOptions): unknown {
  const { star, filters, sort, populate, on, ...rest } = options
  if (star === true) return '*'
  if (Object.keys(options).length === 0) return 'true'
  return {
    ...rest,
    ...(filters === undefined ? {} : { filters: printFilter(filters) }),
    ...(sort === undefined ? {} : { sort: orEmpty(sort.map(printSort)) }),
    ...(populate === undefined ? {} : { populate: printPopulate(populate) }),
    ...(on === undefined
      ? {}
      : { on: Object.fromEntries([...on].map(([uid, inner]) => [uid, printOptions(inner)])) }),
  }
}
