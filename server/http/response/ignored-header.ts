import type { ServerResponse } from 'node:http'
import { fail } from '../../../engine/errors.js'

const header = 'Quire-Ignored'
/** Maximum length of the header's value. */
const maxLength = 1000
/**
 * Maximum number of different names per request. Clients choose the names, and each is compared with all known names.
 */
const maxNames = 1000

/**
 * Returns a function that adds an ignored name of the request to the `Quire-Ignored` header of the response. The header
 * is sent with every status: `foo, pagination.foo, data.seo.foo` (docs/decisions.md, "Profiles"). Characters that a
 * header list may not hold are percent-encoded. Names that do not fit are only counted: `... and 12 more`. The returned
 * function throws `limit-exceeded` beyond 1,000 names.
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

/** Uses `toWellFormed`, because `encodeURIComponent` throws on text that is not valid Unicode. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)
