import type { ScalarAttribute } from '../schema/attribute.js'
import { isScalar } from '../schema/attribute.js'
import type { ContentType } from '../schema/content-type.js'
import type { Failure } from './failure.js'
import type { Body } from './read-body.js'
import type { Hashes } from './store-scalar.js'
import { storeScalar } from './store-scalar.js'

/** A value that no other document may have. */
export type WantedUnique = Readonly<{
  attribute: ScalarAttribute
  /** As it was sent, for the error. */
  shown: unknown
  /** As it is stored. */
  value: unknown
}>

export const notUnique = 'This attribute must be unique'

/** The values of a validated body that must be unique and are not wrong already. */
export function wantedUniques(
  type: ContentType,
  body: Body,
  failures: readonly Failure[],
  hashes: Hashes,
): readonly WantedUnique[] {
  const wrong = new Set(failures.map(({ path }) => path[0]))
  return [...type.attributes.values()].flatMap((attribute) => {
    if (!isScalar(attribute) || !attribute.unique || wrong.has(attribute.name)) return []
    const shown = body[attribute.name]
    if (shown === undefined || shown === null) return []
    return [{ attribute, shown, value: storeScalar(attribute, shown, hashes) }]
  })
}

export function uniqueFailure({ attribute, shown }: WantedUnique): Failure {
  return { path: [attribute.name], message: notUnique, value: shown }
}

/** Failures in the order of the type's attributes; those of the body as a whole come last. */
export function inAttributeOrder(
  type: ContentType,
  failures: readonly Failure[],
): readonly Failure[] {
  const rank = new Map([...type.attributes.keys()].map((name, at) => [name, at]))
  const rankOf = ({ path }: Failure) => rank.get(path[0] ?? '') ?? rank.size
  return failures.toSorted((a, b) => rankOf(a) - rankOf(b))
}
