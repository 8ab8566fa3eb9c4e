import { objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { needless, to, type Rules } from './rule.js'
import { toBytes, toNumber } from './units.js'

/** Strapi's own middlewares by name, with what their `config` means here; of those without rules it is told. */
export const middlewareRules: Readonly<Record<string, Rules>> = {
  'strapi::cors': { origin: to('cors.origins', originsOf) },
  'strapi::body': {
    jsonLimit: to('http.bodyLimit', toBytes),
    'formidable.maxFileSize': to('upload.sizeLimit', toBytes),
    // Bodies of these kinds are not taken.
    formLimit: needless,
    textLimit: needless,
  },
  'strapi::query': { arrayLimit: to('api.rest.maxArrayLength', toNumber) },
  'strapi::poweredBy': { poweredBy: needless },
  // What they do is done here, or is a matter of cookies and files that are not here.
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

/** Middlewares that a project lists, `'strapi::cors'` or `{ name: 'strapi::cors', config }`, as an object by name. */
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

/** `*`, an origin, several with commas, or a list, of which variables that are not set are no members. */
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
