import { BSON } from 'mongodb'
import { documentTooLarge, maxDocumentBytes } from '../../errors/database-errors.js'
import type { Fields } from '../../values/stored-types.js'
import { listOf } from '../../values/unique-list.js'
import type { Versions } from '../change/change.js'
import { writtenMain } from './execute-main.js'
import { insertedPublication } from './execute-publication.js'
import { withReferences } from '../plan/keep-references.js'
import type { SavePlan } from '../plan/write-plan.js'

/**
 * Rejects a save that would write a version over the size limit. Otherwise the database would reject that version after
 * other versions have been written, and the driver would fail all other writes in the same command.
 * @throws ApiError 413
 */
export function checkSizes(plan: SavePlan, { current, published }: Versions): void {
  const { main, publication, places, shared, locale } = plan
  check(withReferences(writtenMain(main), places))
  if (publication !== null) {
    const { previous, fields, uniques } = publication
    const inserted = insertedPublication(publication, places)
    const updated = { ...previous, ...fields, ...listOf(uniques) }
    check(previous === null ? inserted : withReferences(updated, places))
  }
  for (const { collection, values } of shared) {
    const versions = collection === main.collection ? current : published
    for (const version of versions)
      if (version.locale !== locale) check(withReferences({ ...version, ...values }, places))
  }
}

function check(version: Fields): void {
  const bytes = BSON.calculateObjectSize(version, { ignoreUndefined: true })
  if (bytes > maxDocumentBytes) throw documentTooLarge()
}
