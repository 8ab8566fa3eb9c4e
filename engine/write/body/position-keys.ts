import { fail } from '../../errors.js'
import { isObject } from '../../values/is-object.js'
import { placeDetails } from './failure.js'

const neighbours = ['before', 'after'] as const
const ends = ['start', 'end'] as const
const known: ReadonlySet<string> = new Set([...neighbours, ...ends])

export type PositionRules = Readonly<{
  /** Valid keys besides `before`, `after`, `start` and `end`. */
  extraKeys?: readonly string[]
  /** `options.strict` of the payload. False turns an invalid position into the end of the list. */
  strict: boolean | undefined
  path: readonly string[]
  refuse: (key: string, known: Iterable<string>) => Error
  /** Called with the path of each ignored key. */
  ignored?: ((path: string) => void) | undefined
}>

/**
 * Reads a `position`: `{ before }`, `{ after }`, `{ start: true }`, `{ end: true }` or `'end'`. Returns undefined for
 * the end of the list (docs/internals/decisions.md, "Positions name one place").
 * @throws 400 for an invalid position unless `strict` is false, and for an unknown key if `strict` is true
 */
export function readPositionKeys(position: unknown, rules: PositionRules): unknown {
  if (position === undefined || position === null || position === 'end') return undefined
  const { strict, path, refuse, ignored, extraKeys = [] } = rules
  if (!isObject(position) || !hasOnePosition(position)) {
    if (strict === false) return undefined
    const place = path.join('.')
    const message = `The position of ${place} must be an object with one of before, after, start and end`
    throw fail('validation', message, placeDetails(path))
  }
  for (const key of Object.keys(position)) {
    if (known.has(key) || extraKeys.includes(key)) continue
    if (strict === true) throw refuse(key, known)
    ignored?.(['data', ...path, 'position', key].join('.'))
  }
  return position
}

/** Keys with null or false count as not set. */
function hasOnePosition(position: Readonly<Record<string, unknown>>): boolean {
  const given = [...known].filter(
    (key) => ![undefined, null, false].includes(position[key] as null),
  )
  const isEnd = ends.some((key) => given.includes(key))
  return given.length <= 1 && (!isEnd || given.every((key) => position[key] === true))
}
