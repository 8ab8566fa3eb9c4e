import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { StoredDefinition } from './definition-store.js'

/**
 * Joins the definitions of files with those of the database. Files win: a type that was made at run
 * time and has a file now belongs to the file. What came from a file that is no more is removed;
 * its entries stay where they are.
 * @returns what the service serves, and what has to be written for the database to say the same
 */
export function mergeDefinitions(
  files: readonly SourcedDefinition[],
  stored: readonly StoredDefinition[],
) {
  const storedByUid = new Map(stored.map((definition) => [definition._id, definition]))
  const fileUids = new Set(files.map(({ uid }) => uid))
  const others = stored.filter(({ _id }) => !fileUids.has(_id))
  return {
    definitions: [...files, ...others.filter(isFromDatabase).map(sourced)],
    changes: {
      put: files.map(asStored).filter((file) => !isSame(file, storedByUid.get(file._id))),
      remove: others.filter((definition) => !isFromDatabase(definition)).map(({ _id }) => _id),
    },
  }
}

/** A definition of the database as the registry takes it. */
export function sourced({ _id, kind, definition }: StoredDefinition): SourcedDefinition {
  return { kind, uid: _id, source: `_schemas/${_id}`, definition }
}

function asStored({ uid, kind, definition }: SourcedDefinition): StoredDefinition {
  return { _id: uid, kind, definition, source: 'file' }
}

function isFromDatabase({ source }: StoredDefinition): boolean {
  return source === 'database'
}

/** As text, because the order of attributes is the order of answers (docs/decisions.md, "Order of members"). */
function isSame(file: StoredDefinition, stored: StoredDefinition | undefined): boolean {
  return (
    stored?.source === file.source &&
    stored.kind === file.kind &&
    JSON.stringify(stored.definition) === JSON.stringify(file.definition)
  )
}
