import qs from 'qs'
import { fail } from '../../errors.js'
import { exceeded } from './bounds.js'
import type { QueryNode } from './brackets.js'
import { addKey, createMembers, nodeOf, parseBracketKey } from './brackets.js'
import { maxParameters } from './parse-limits.js'

const forbiddenKeys = /(?:^|[[\].])(__proto__|constructor|prototype)(?:$|[[\].])/

/**
 * Parses `filters[title][$eq]=a` to `{ filters: { title: { $eq: 'a' } } }` like `qs`, but in linear time and memory.
 * Throws a 400 for keys that reach a prototype (docs/internals/decisions.md, "Nothing is dropped in silence"), for
 * broken percent-encoding (docs/internals/decisions.md, "Broken percent-encoding"), and beyond limits.
 */
export function parseQueryString(
  search: string,
  maxArrayLength: number,
): { readonly [key: string]: QueryNode } {
  const root = createMembers()
  for (const [key, values] of parametersOf(search, maxArrayLength)) {
    if (key === '') continue
    const steps = parseBracketKey(key, values.length > 1, maxArrayLength)
    addKey(root, steps, values, maxArrayLength)
  }
  return nodeOf(root)
}

/** Returns the values of each key, in the order of their first occurrence. */
function parametersOf(
  search: string,
  maxArrayLength: number,
): ReadonlyMap<string, readonly (string | null)[]> {
  const parameters = new Map<string, (string | null)[]>()
  for (const [numbered, value] of Object.entries(readParameters(search))) {
    const key = numbered.slice(numbered.indexOf(' ') + 1)
    const values = parameters.get(key)
    if (values === undefined) {
      refusePrototypeKey(key)
      parameters.set(key, [value])
    } else {
      values.push(value)
      if (key !== '' && values.length > maxArrayLength) {
        throw exceeded('An array of the query string', 'api.rest.maxArrayLength', maxArrayLength)
      }
    }
  }
  return parameters
}

/**
 * Splits and decodes parameters with `qs`. It does not interpret brackets or combine repeated keys here, because it
 * would copy a list for each member, and allocate every index below the one in a key. A number before each key keeps
 * repeated keys apart.
 */
function readParameters(search: string): Readonly<Record<string, string | null>> {
  let number = 0
  try {
    return qs.parse(search, {
      depth: false,
      parameterLimit: maxParameters,
      throwOnLimitExceeded: true,
      strictNullHandling: true,
      plainObjects: true,
      decoder: (text, _decode, _charset, kind) => {
        const decoded = decode(text)
        return kind === 'key' ? `${(number += 1)} ${decoded}` : decoded
      },
    }) as Record<string, string | null>
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw exceeded('The number of parameters', 'parameters', maxParameters)
  }
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replace(/\+/g, ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw fail('validation', `Invalid percent-encoding in the query string: ${text}`, {
      source: 'query',
    })
  }
}

function refusePrototypeKey(key: string): void {
  const match = forbiddenKeys.exec(key)
  if (match !== null)
    throw fail('invalid-key', { key: match[1] }, { key: match[1], source: 'query' })
}
