import type { ServerResponse } from 'node:http'

const header = 'Quire-Ignored'
/** Of the header's value: names are the client's, and as many as it sends. */
const maxLength = 1000

/**
 * Notes what of a request was passed over in the header `Quire-Ignored` of its answer, whatever that becomes:
 * `foo, pagination.foo, data.seo.foo` (docs/decisions.md, "Profiles"). Names are percent-encoded where they hold what
 * a list in a header may not; what does not fit is counted: `…, and 12 more` with three dots of ASCII.
 */
export function noteIgnored(response: ServerResponse): (name: string) => void {
  const names: string[] = []
  let length = 0
  let beyond = 0
  return (name) => {
    const encoded = encodeName(name)
    if (names.includes(encoded)) return
    if (length + encoded.length > maxLength) beyond += 1
    else {
      names.push(encoded)
      length += encoded.length + 2
    }
    if (response.headersSent) return
    const more = beyond === 0 ? [] : [`... and ${beyond} more`]
    response.setHeader(header, [...names, ...more].join(', '))
  }
}

/** Text that is no Unicode cannot be encoded. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/%(24|5B|5D)/g, decodeURIComponent)
