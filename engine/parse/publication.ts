import { fail } from '../errors.js'
import type { QueryNode } from './query-string.js'
import type { PublicationFilter } from './raw-query.js'
import { publicationFilters } from './raw-query.js'

/** `publicationFilter=modified`. Throws a 400 for anything but one of its words. */
export function parsePublicationFilter(node: QueryNode): PublicationFilter {
  const filter = publicationFilters.find((word) => word === node)
  if (filter !== undefined) return filter
  const param = 'publicationFilter'
  throw fail(
    'validation',
    { message: `Invalid value for '${param}'. Expected one of: ${publicationFilters.join(', ')}.` },
    { source: 'query', param },
  )
}

/** `hasPublishedVersion=true`, by which `publicationFilter` was called before. */
export function parseHasPublishedVersion(node: QueryNode): PublicationFilter {
  if (node === 'true') return 'has-published-version-document'
  if (node === 'false') return 'never-published-document'
  throw fail('validation', {
    message: "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.",
  })
}
