import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { builtInDefinitions } from '../../engine/schema/define/built-in.js'
import { isComponentUid, isContentTypeUid } from '../../engine/schema/names.js'
import type { Definition } from '../../engine/schema/content-type.js'
import { isOfStrapi } from '../../engine/schema/define/strapi-types.js'
import { objectOf } from '../../engine/values/is-object.js'
import { definitionOf } from '../import-runner/place-definitions.js'
import type { Notes } from './notes.js'

/** Attributes that Strapi adds to every definition when it starts. */
const added: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
])

/** Attributes of built-in types that Strapi defines, but Quire does not. */
const ofStrapi: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related', 'folder', 'folderPath'],
  'plugin::users-permissions.role': ['permissions', 'users'],
}

/**
 * Returns the definitions as the exported project has them in its files. Leaves out those that every Strapi project
 * has.
 */
export function exportedDefinitions(
  schemas: readonly Definition[],
  notes: Notes,
): readonly SourcedDefinition[] {
  return schemas.flatMap((schema) => {
    const { uid, modelType, kind, collectionName, info, options, pluginOptions } = schema
    if (typeof uid !== 'string') return []
    const attributes = attributesOf(schema, added)
    if (modelType === 'component')
      return isComponentUid(uid)
        ? definitionOf(uid, { collectionName, info, options, attributes })
        : []
    if (isOfStrapi(uid) || uid.startsWith('admin::')) return []
    const original = builtInDefinitions.get(uid)
    if (original !== undefined) {
      // Only return the attributes that the project adds to this built-in type.
      const known = [...Object.keys(attributesOf(original)), ...(ofStrapi[uid] ?? [])]
      const further = attributesOf({ attributes }, new Set(known))
      return Object.keys(further).length === 0 ? [] : definitionOf(uid, { attributes: further })
    }
    if (!isContentTypeUid(uid)) {
      notes.leftOut('definitions with an invalid uid', uid.slice(0, 200))
      return []
    }
    return definitionOf(uid, { kind, collectionName, info, options, pluginOptions, attributes })
  })
}

function attributesOf(
  { attributes }: Definition,
  without: ReadonlySet<string> = new Set(),
): Definition {
  const all = Object.entries(objectOf(attributes))
  return Object.fromEntries(all.filter(([name]) => !without.has(name)))
}
