import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import { concealStored } from './change/conceal-stored.js'
import { throwFailures, type Failure } from './change/failure.js'
import type { Body } from './change/read-body.js'
import { inAttributeOrder, notUnique, uniqueFailure, wantedUniques } from './change/uniques.js'
import type { Validated } from './change/validate.js'
import type { Version } from './change/versions.js'
import { fail } from './errors.js'
import { findTaken } from './execute/write-lookups.js'
import type { ContentType } from './schema/content-type.js'
import { collectionOf } from './schema/content-type.js'
import type { Registry } from './schema/registry.js'

/** What is written, as far as unique values care. */
type Written = Readonly<{
  db: Db
  type: ContentType
  registry: Registry
  documentId: string
  locale: string | null
}>

/**
 * Throws what the rules found together with values that are taken.
 * @param holder the version that is written, as it was read: what it has is nobody else's
 * @param isSent which failures are about what this request sent (`concealStored`)
 */
export async function throwAll(
  written: Written,
  { value, failures }: Validated,
  holder: Version | undefined,
  hashes: ReadonlyMap<string, string>,
  isSent: (path: Failure['path']) => boolean,
): Promise<void> {
  const { db, type, documentId, locale } = written
  const wanted = wantedUniques(type, value, failures, hashes).filter(
    // What all locales share, another document may have in one that this one has not.
    ({ attribute, value }) =>
      (type.localized && !attribute.localized) ||
      !isDeepStrictEqual(holder?.[attribute.storedAs], value),
  )
  const queries = wanted.map(({ attribute, value }) => ({
    field: attribute.storedAs,
    value,
    ...(type.localized && !attribute.localized ? {} : { locale }),
  }))
  const taken = await findTaken(db, collectionOf(type, 'published'), documentId, queries)
  const unique = wanted.filter(({ attribute }) => taken.has(attribute.storedAs)).map(uniqueFailure)
  const all = concealStored([...failures, ...unique], written, isSent)
  throwFailures(inAttributeOrder(type, all))
}

/** What is said of a value that an index refused. */
export function takenError(type: ContentType, field: string, body: Body): Error {
  const attribute = [...type.attributes.values()].find(({ storedAs }) => storedAs === field)
  const name = attribute?.name ?? field
  const message = notUnique
  const value = body[name]
  return fail(
    'validation',
    { message },
    {
      errors: [
        {
          path: [name],
          message,
          name: 'ValidationError',
          ...(value === undefined ? {} : { value }),
        },
      ],
    },
  )
}
