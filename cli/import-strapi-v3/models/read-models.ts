import type { Db } from 'mongodb'
import { isObject } from '../../../engine/values/is-object.js'
import type { Notes } from '../../import-strapi/notes.js'
import { builtInModels } from './built-in-models.js'
import { makeModel, type Found } from './make-model.js'
import type { Model } from './model.js'

/**
 * Returns the models of a project, including the built-in ones. If there are definitions in source files, ignores all
 * `stored` ones of the project, because `core_store` keeps the rows of removed types. Throws if neither `files` nor
 * `stored` contain a type of the project.
 */
export function readModels(
  files: readonly Found[],
  stored: readonly Found[],
  notes: Notes,
): readonly Model[] {
  const isOfPlugin = ({ v3Uid }: Found): boolean => v3Uid.startsWith('plugins::')
  const byUid = new Map(builtInModels.map((model) => [model.uid, model]))
  const found = [
    ...stored.filter((one) => files.length === 0 || isOfPlugin(one)),
    // Source files come last, because they replace stored definitions of the same type.
    ...files,
  ]
  for (const one of found) {
    const model = makeModel(one)
    if (model !== undefined) byUid.set(model.uid, model)
    else if (!/^(?:strapi::|plugins::users-permissions\.permission$)/.test(one.v3Uid))
      notes.leftOut('types of plugins, with their rows', one.v3Uid.slice(0, 200))
  }
  const models = [...byUid.values()]
  if (models.every(({ plugin }) => plugin !== undefined))
    throw new Error(
      'There are no definitions of a Strapi 3 project in core_store of the database. Check the name of the database, or give the folder of the project (--definitions)',
    )
  return models
}

/** Reads `core_store`, where Strapi 3 stores its settings and, whenever it starts, its definitions. */
export async function readStoredCore(db: Db) {
  const models: Found[] = []
  /** Settings by the key of their row. */
  const settings = new Map<string, unknown>()
  const rows = db.collection('core_store').find({}, { projection: { _id: 0, key: 1, value: 1 } })
  for await (const { key, value } of rows) {
    if (typeof key !== 'string' || typeof value !== 'string') continue
    const stored = parsed(value)
    if (!key.startsWith(definitionPrefix)) settings.set(key, stored)
    else if (isObject(stored))
      models.push({ v3Uid: key.slice(definitionPrefix.length), definition: stored })
  }
  return { models, settings }
}

const definitionPrefix = 'model_def_'

/** Values are usually JSON, but older rows of some plugins contain plain text. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
