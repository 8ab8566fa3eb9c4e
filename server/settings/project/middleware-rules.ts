import { objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { ignored, to, type Rules } from './rule.js'
import { toBytes, toNumber } from './units.js'

/** Strapi's own middlewares by name, with the rules of their `config`. Those without rules are reported. */
export const middlewareRules: Readonly<Record<string, Rules>> = {
  'strapi::cors': { origin: to('cors.origins', originsOf) },
  'strapi::body': {
    jsonLimit: to('http.bodyLimit', toBytes),
    'formidable.maxFileSize': to('upload.sizeLimit', toBytes),
    // Quire does not accept bodies of these kinds.
    formLimit: ignored,
    textLimit: ignored,
  },
  'strapi::query': { arrayLimit: to('api.rest.maxArrayLength', toNumber) },
  'strapi::poweredBy': { poweredBy: ignored },
  // Quire does this itself, or does not need it because it has no such cookies and files.
  ...Object.fromEntries(
    [
      'errors',
      'favicon',
      'logger',
      'public',
      'responseTime',
      'responses',
      'security',
      'session',
    ].map((name) => [`strapi::${name}`, {}]),
  ),
}

/**
 * Returns the middlewares of a project, listed as `'strapi::cors'` or `{ name: 'strapi::cors', config }`, as an object
 * by name.
 */
export function byName(value: unknown): PlainObject {
  if (!Array.isArray(value)) return {}
  return Object.fromEntries(
    value.flatMap((entry: unknown): [string, unknown][] => {
      if (typeof entry === 'string') return [[entry, undefined]]
      const { name, config } = objectOf(entry)
      return typeof name === 'string' ? [[name, config]] : []
    }),
  )
}

/** Reads `*`, an origin, comma-separated origins or a list. Unset variables in a list are skipped. */
function originsOf(value: unknown): unknown {
  if (typeof value === 'string') return originsOf(value.split(','))
  if (!Array.isArray(value)) return undefined
  return value
    .filter((member) => member !== undefined && member !== null)
    .map((member: unknown) =>
      typeof member === 'string' ? member.trim().replace(/\/$/, '') : member,
    )
    .filter((member) => member !== '')
}
