import type { ServerResponse } from 'node:http'
import { fail } from '../../../engine/errors.js'

const header = 'Quire-Ignored'
/** Maximum length of the header's value in characters. */
const maxLength = 1000
/**
 * Maximum number of different ignored names per request. Clients choose the names, and comparing each with all known
 * names takes time.
 */
const maxNames = 1000

/**
 * Returns a function that reports an ignored name of the request in the response's `Quire-Ignored` header:
 * `foo, pagination.foo, data.seo.foo` (docs/internals/decisions.md, "Profiles"). The header is sent with every status. Characters
 * that are not allowed in a header list are percent-encoded. Names that do not fit are only counted: `... and 12 more`.
 * Above 1,000 names, the returned function throws `limit-exceeded`.
 */
export function noteIgnored(response: ServerResponse): (name: string) => void {
  const names = new Set<string>()
  const shown: string[] = []
  let length = 0
  return (name) => {
    if (names.has(name)) return
    if (names.size === maxNames)
      throw fail('limit-exceeded', {
        what: 'The number of unknown keys and parameters',
        bound: 'unknown names',
        limit: maxNames,
      })
    names.add(name)
    const encoded = encodeName(name)
    if (length + encoded.length <= maxLength) {
      shown.push(encoded)
      length += encoded.length + 2
    }
    if (response.headersSent) return
    const beyond = names.size - shown.length
    const more = beyond === 0 ? [] : [`... and ${beyond} more`]
    response.setHeader(header, [...shown, ...more].join(', '))
  }
}

/**
 * Percent-encodes a name, except `$`, `[` and `]`. Uses `toWellFormed`, because `encodeURIComponent` throws if the text
 * is not valid Unicode.
 */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)
