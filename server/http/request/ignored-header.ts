import type { ServerResponse } from 'node:http'
import { fail } from '../../../engine/errors.js'

const header = 'Quire-Ignored'
/** Longest value of the header. */
const maxLength = 1000
/** Most different names per request. Clients choose them, and each is compared with all known names. */
const maxNames = 1000

/**
 * Returns a function that adds an ignored name of the request to the header `Quire-Ignored` of the response, whatever
 * its status: `foo, pagination.foo, data.seo.foo` (docs/decisions.md, "Profiles"). Characters that a header list may
 * not hold are percent-encoded. Names that do not fit are counted: `... and 12 more`. The returned function throws
 * `limit-exceeded` beyond 1,000 names.
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

/** `toWellFormed`, because text that is not valid Unicode cannot be encoded. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)
