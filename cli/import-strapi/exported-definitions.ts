import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { builtInDefinitions } from '../../engine/schema/built-in.js'
import { isComponentUid, isContentTypeUid } from '../../engine/schema/names.js'
import { isOfStrapi } from '../../engine/schema/strapi-types.js'
import { isObject } from '../../engine/values/is-object.js'
import { sourceOf } from '../import-runner/place-definitions.js'
import type { Notes } from './notes.js'

/** What Strapi adds to every definition when it starts, and no file has. */
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

/** Of the types of the service: what Strapi's own definitions have beside what Quire's have. */
const ofStrapi: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related', 'folder', 'folderPath'],
  'plugin::users-permissions.role': ['permissions', 'users'],
}

/** The definitions of the project that was exported as its files have them: without those that every Strapi has. */
export function exportedDefinitions(
  schemas: readonly Readonly<Record<string, unknown>>[],
  notes: Notes,
): readonly SourcedDefinition[] {
  return schemas.flatMap((schema): readonly SourcedDefinition[] => {
    const { uid, modelType } = schema
    if (typeof uid !== 'string') return []
    if (modelType === 'component') return componentOf(uid, schema)
    if (isOfStrapi(uid) || uid.startsWith('admin::')) return []
    if (builtInDefinitions.has(uid)) return extensionOf(uid, schema)
    if (!isContentTypeUid(uid)) {
      notes.leftOut('definitions whose uid is none of a content-type', uid.slice(0, 200))
      return []
    }
    return [{ kind: 'content-type', uid, source: sourceOf(uid), definition: ofFile(schema) }]
  })
}

function componentOf(
  uid: string,
  schema: Readonly<Record<string, unknown>>,
): readonly SourcedDefinition[] {
  if (!isComponentUid(uid)) return []
  const { collectionName, info, options, attributes } = schema
  const definition = { collectionName, info, options, attributes: own(attributes) }
  return [{ kind: 'component', uid, source: sourceOf(uid), definition }]
}

/** Of a type of the service: what the project adds to it, if anything. */
function extensionOf(
  uid: string,
  schema: Readonly<Record<string, unknown>>,
): readonly SourcedDefinition[] {
  const original = builtInDefinitions.get(uid)?.['attributes']
  const known = isObject(original) ? original : {}
  const attributes = Object.fromEntries(
    Object.entries(own(schema['attributes'])).filter(
      ([name]) => !Object.hasOwn(known, name) && !(ofStrapi[uid] ?? []).includes(name),
    ),
  )
  if (Object.keys(attributes).length === 0) return []
  return [{ kind: 'content-type', uid, source: sourceOf(uid), definition: { attributes } }]
}

function ofFile(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { kind, collectionName, info, options, pluginOptions, attributes } = schema
  return {
    kind,
    collectionName,
    info,
    options,
    pluginOptions,
    attributes: own(attributes),
  }
}

const own = (attributes: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isObject(attributes) ? attributes : {}).filter(([name]) => !added.has(name)),
  )
