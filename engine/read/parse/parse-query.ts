import { fail } from '../../errors.js'
import { suggestionFor } from '../../errors/nearest-name.js'
import { parseFields } from './parse-fields.js'
import { parseFilters } from './parse-filters.js'
import type { GroupNodes } from './parse-groups.js'
import { parseGroups } from './parse-groups.js'
import { entryParameters, groupParameters } from './group-words.js'
import { isPaginationKey, parsePagination } from './parse-pagination.js'
import type { ParseLimits, Parsing } from './parse-limits.js'
import { createParsing } from './parse-limits.js'
import type { DeepNodes } from './parse-deep-populate.js'
import { parseDeepPopulate, parseDeepWord } from './parse-deep-populate.js'
import { parsePopulate } from './parse-populate.js'
import type { QueryNode } from './brackets.js'
import { parseQueryString } from './query-string.js'
import type { Explain, RawQuery, PublicationFilter } from './raw-query.js'
import { maxValueLength, publicationFilters } from './raw-query.js'
import { parseSort } from './parse-sort.js'
import { kindOf, refusedParameter, valueTooLong } from './refused-value.js'

/**
 * Parses the query string after `?`. Checks only syntax and limits; the resolver checks names. Throws only `ApiError`s
 * with status 400.
 * @param of whether entries or groups of entries are requested
 * @param colonNames attributes whose names contain a colon
 */
export function parseQuery(
  search: string,
  limits: ParseLimits,
  of: 'entries' | 'groups' = 'entries',
  colonNames?: ReadonlySet<string>,
): RawQuery {
  const parsing = createParsing(limits, colonNames)
  if (of === 'entries')
    return search === '' ? {} : parseParameters(search, parsing, entriesOnly).query
  const { query, grouping } = parseParameters(search, parsing, groupsOnly)
  return { ...query, groups: parseGroups(grouping, createParsing(limits, colonNames)) }
}

/**
 * Parameters of one kind of request, for entries or for groups. `own`: accepted only by this kind. `unknown`: accepted
 * only by the other kind.
 */
type Kind = Readonly<{
  own: ReadonlySet<string>
  unknown: ReadonlySet<string>
  /** Parameters that an error may suggest. */
  named: readonly string[]
}>

function parseParameters(
  search: string,
  parsing: Parsing,
  kind: Kind,
): Readonly<{ query: RawQuery; grouping: GroupNodes }> {
  const query: { -readonly [K in keyof RawQuery]: RawQuery[K] } = {}
  const grouping: Record<string, QueryNode> = {}
  const { limits } = parsing
  const ignored: string[] = []
  const ignore = limits.unknownParameters === 'ignore' ? ignored : undefined
  const passOver = (key: string): void => {
    checkUnknown(key, limits, kind.named)
    ignored.push(key)
  }
  const deep: { -readonly [K in keyof DeepNodes]: DeepNodes[K] } = {}
  for (const [key, node] of Object.entries(parseQueryString(search, limits.maxArrayLength))) {
    if (kind.own.has(key)) {
      grouping[key] = node
      continue
    }
    if (kind.unknown.has(key)) {
      passOver(key)
      continue
    }
    switch (key) {
      case 'fields':
        query.fields = parseFields(node, parsing)
        break
      case 'sort':
        query.sort = parseSort(node, parsing)
        break
      case 'filters':
        query.filters = parseFilters(node, parsing)
        break
      case 'populate':
        query.populate = parseDeepWord(node, parsing) ?? parsePopulate(node, parsing)
        break
      case 'pLevel':
      case 'pIgnore':
        deep[key] = node
        break
      case 'pagination':
        query.pagination = parsePagination(node, 'pagination', ignore)
        break
      case 'status':
        query.status = parseStatus(node)
        break
      case 'locale':
        query.locale = parseLocale(node)
        break
      case 'fallback':
        query.fallback = parseFallback(node)
        break
      case '_q':
        query.search = parseSearch(node)
        break
      case 'publicationFilter':
        query.publication = [...(query.publication ?? []), parsePublicationFilter(node)]
        break
      case 'hasPublishedVersion':
        query.publication = [...(query.publication ?? []), parseHasPublishedVersion(node)]
        break
      case 'explain':
        query.explain = parseExplain(node)
        break
      default:
        passOver(key)
    }
  }
  const populate = parseDeepPopulate(query.populate, deep, parsing)
  if (populate !== undefined) query.populate = populate
  return { query: ignored.length === 0 ? query : { ...query, ignored }, grouping }
}

function parseStatus(node: QueryNode): string {
  if (typeof node === 'string') return node
  const message = `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${kindOf(node)}`
  throw refusedParameter(message, 'status', "'published' or 'draft'", node)
}

function parseLocale(node: QueryNode): readonly string[] {
  const members: readonly QueryNode[] = Array.isArray(node) ? node : [node]
  return members.flatMap((member) => {
    if (member === null || member === '') return []
    if (typeof member !== 'string') {
      throw fail(
        'validation',
        {
          message: `Invalid parameter at 'locale'. Expected a string, array of strings, empty string, null, or undefined; received: ${kindOf(member)}`,
        },
        {
          ...{
            path: null,
            source: 'query',
            param: 'locale',
            expected: 'a text or a list of texts',
          },
          // An object can be as large as the query string, so the error only names its kind.
          received: JSON.stringify(member).length > 1000 ? kindOf(member) : member,
        },
      )
    }
    // Check only the syntax (`en`, `zh-Hans`, or `*`), not the registry of subtags.
    if (member !== '*' && !/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/.test(member)) {
      const message =
        "Invalid parameter at 'locale'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans)."
      throw refusedParameter(
        message,
        'locale',
        'a BCP 47 tag, such as en, en-US or zh-Hans',
        member,
      )
    }
    return [member]
  })
}

function parseFallback(node: QueryNode): boolean {
  if (node === 'true' || node === 'false') return node === 'true'
  const message = "Invalid parameter at 'fallback'. Expected 'true' or 'false'"
  throw refusedParameter(message, 'fallback', "'true' or 'false'", node)
}

function parseSearch(node: QueryNode): string {
  const text = node ?? ''
  if (typeof text !== 'string' || text.includes('\0')) {
    const message = "Invalid parameter at '_q'. Expected a text to search for"
    throw refusedParameter(message, '_q', 'a text without NUL', node)
  }
  if (text.length > maxValueLength)
    throw valueTooLong("The text of '_q'", { param: '_q', path: [] })
  return text
}

function parseExplain(node: QueryNode): Explain {
  if (node === 'true') return 'plan'
  if (node === 'execution') return 'execution'
  const message = "Invalid parameter at 'explain'. Expected 'true' or 'execution'"
  throw refusedParameter(message, 'explain', "'true' or 'execution'", node)
}

/** Parameters that errors may suggest. `explain` is missing, because it needs a full-access token. */
const parameters = [
  'fields',
  'sort',
  'filters',
  'populate',
  'pagination',
  'status',
  'locale',
  'fallback',
  '_q',
  'publicationFilter',
  'hasPublishedVersion',
  'pLevel',
  'pIgnore',
]

const entriesOnly: Kind = { own: new Set(), unknown: new Set(), named: parameters }
const shown: ReadonlySet<string> = new Set(entryParameters)
const groupsOnly: Kind = {
  own: new Set(groupParameters),
  unknown: shown,
  named: [...groupParameters, ...parameters.filter((name) => !shown.has(name))],
}

function checkUnknown(
  key: string,
  { unknownParameters }: ParseLimits,
  named: readonly string[],
): void {
  if (unknownParameters === 'refuse') throw unknownParameter(key, named)
  // Strapi never ignores `page` and `pageSize` outside `pagination`. If they were ignored, a client would always get
  // the first page.
  if (unknownParameters === 'ignore' && (key === 'page' || key === 'pageSize'))
    throw fail('pagination', {
      message:
        'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
    })
}

function unknownParameter(key: string, named: readonly string[]): Error {
  const meant = isPaginationKey(key)
    ? { suggestion: `pagination[${key}]` }
    : suggestionFor(key, named)
  if (key === 'page' || key === 'pageSize') {
    const message =
      'Invalid pagination parameters. Cannot use both page-based (page, pageSize) and offset-based (start, limit) pagination in the same query.'
    return fail('validation', message, meant)
  }
  return fail('invalid-key', { key }, { key, path: null, source: 'query', param: key, ...meant })
}

function parsePublicationFilter(node: QueryNode): PublicationFilter {
  const filter = publicationFilters.find((word) => word === node)
  if (filter !== undefined) return filter
  const param = 'publicationFilter'
  const known = publicationFilters.join(', ')
  const message = `Invalid value for '${param}'. Expected one of: ${known}.`
  throw refusedParameter(message, param, `one of: ${known}`, node)
}

/** Parses the older form of `publicationFilter`. */
function parseHasPublishedVersion(node: QueryNode): PublicationFilter {
  if (node === 'true') return 'has-published-version-document'
  if (node === 'false') return 'never-published-document'
  const message =
    "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."
  throw refusedParameter(message, 'hasPublishedVersion', "'true' or 'false'", node)
}
