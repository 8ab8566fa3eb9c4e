import { isDeepStrictEqual } from 'node:util'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { isScalar } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { Failure } from '../body/failure.js'
import type { Validated } from './validate.js'
import { attributeError, throwFailures } from '../body/failure.js'
import type { Body } from '../body/read-body.js'
import type { Hashes } from '../change/store-scalar.js'
import { storeScalar } from '../change/store-scalar.js'
import { concealStored } from './conceal-stored.js'
import type { Version } from '../change/change.js'
import { maxSharedLength } from '../load/find-by-text.js'
import type { FindByValue } from '../load/find-by-value.js'
import { findTaken } from '../load/find-by-value.js'
import type { Registry } from '../../schema/registry.js'

type Written = Readonly<{
  type: ContentType
  registry: Registry
  documentId: string
  locale: string | null
}>

/**
 * Throws one error for the given failures and all unique values that are taken, if there are any.
 * @param findByValue looks up values in the published or only versions of the type
 * @param version the stored version that the write replaces. Unchanged values are not looked up
 * @param isSent whether the value at a path came with this request (see `concealStored`)
 */
export async function throwAll(
  findByValue: FindByValue,
  written: Written,
  { value, failures }: Validated,
  version: Version | undefined,
  hashes: ReadonlyMap<string, string>,
  isSent: (path: Failure['path']) => boolean,
): Promise<void> {
  const { type, documentId, locale } = written
  const wanted = wantedUniques(type, value, failures, hashes).filter(
    // Shared values are looked up even if unchanged: another document may have one in a locale that this document
    // lacks.
    ({ attribute, value }) =>
      (type.localized && !attribute.localized) ||
      !isDeepStrictEqual(version?.[attribute.storedAs], value),
  )
  const queries = wanted.map(({ attribute, value }) => ({
    field: attribute.storedAs,
    value,
    ...(type.localized && !attribute.localized ? {} : { locale }),
  }))
  const taken = await findTaken(findByValue, documentId, queries)
  const unique = wanted.filter(({ attribute }) => taken.has(attribute.storedAs)).map(uniqueFailure)
  const all = concealStored([...failures, ...unique], written, isSent)
  throwFailures(inAttributeOrder(type, all))
}

/** Returns the values to look up early, by stored name: short strings that must be unique and are stored as sent. */
export function uniqueTexts(type: ContentType, body: Body): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const attribute of type.attributes.values()) {
    if (!isScalar(attribute) || !attribute.unique || !storedVerbatim.has(attribute.type)) continue
    const value = body[attribute.name]
    const isChecked = typeof value === 'string' && value.length <= maxSharedLength
    if (isChecked) texts.set(attribute.storedAs, value)
  }
  return texts
}

const storedVerbatim: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'email',
  'uid',
  'enumeration',
])

/** A value that no other document may have. */
type WantedUnique = Readonly<{
  attribute: ScalarAttribute
  /** The value as sent, for the error. */
  shown: unknown
  value: unknown
}>

export const notUnique = 'This attribute must be unique'

/** Returns the values that must be unique. Omits attributes that have other failures. */
function wantedUniques(
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
    return [{ attribute, shown, value: storeScalar(attribute, shown, { hashes }) }]
  })
}

function uniqueFailure({ attribute, shown }: WantedUnique): Failure {
  return { path: [attribute.name], message: notUnique, value: shown }
}

/** Sorts failures by the order of the attributes. Failures of the whole body come last. */
export function inAttributeOrder(
  type: ContentType,
  failures: readonly Failure[],
): readonly Failure[] {
  const rank = new Map([...type.attributes.keys()].map((name, at) => [name, at]))
  const rankOf = ({ path }: Failure) => rank.get(path[0] ?? '') ?? rank.size
  return failures.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Creates the error for a value that a unique index rejected. */
export function takenError(type: ContentType, field: string, body: Body): Error {
  const attribute = [...type.attributes.values()].find(({ storedAs }) => storedAs === field)
  const name = attribute?.name ?? field
  return attributeError([name], notUnique, body[name])
}
