import type { ServerResponse } from 'node:http'
import { fail } from '../../../engine/errors.js'

const header = 'Quire-Ignored'
const maxLength = 1000
/** Maximum number of different ignored names per request, because comparing each with all known names takes time. */
const maxNames = 1000

/**
 * Returns a function that adds a name to the header `Quire-Ignored: foo, data.seo.foo, ... and 12 more`
 * (docs/internals/decisions.md, "Profiles"). The function throws `limit-exceeded` above 1,000 names.
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
 * Percent-encodes a name, except `$`, `[` and `]`. First repairs invalid Unicode, for which `encodeURIComponent` would
 * throw.
 */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)
