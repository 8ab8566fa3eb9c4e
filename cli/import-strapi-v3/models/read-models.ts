import type { Db } from 'mongodb'
import { isObject } from '../../../engine/values/is-object.js'
import type { Notes } from '../../import-strapi/notes.js'
import { builtInModels } from './built-in-models.js'
import { makeModel, type Found } from './make-model.js'
import type { Model } from './model.js'

/**
 * The models of a project, the service's own among them.
 * @param files from its sources, which count alone where they are there: of a type that was taken away its row stays
 * @param stored from `core_store`
 * @throws Error where neither has any
 */
export function readModels(
  files: readonly Found[],
  stored: readonly Found[],
  notes: Notes,
): readonly Model[] {
  const isOfPlugin = ({ formerUid }: Found): boolean => formerUid.startsWith('plugins::')
  const byUid = new Map(builtInModels.map((model) => [model.uid, model]))
  const found = [
    ...stored.filter((one) => files.length === 0 || isOfPlugin(one)),
    // What the sources say of a plugin's type counts more than what was stored of it.
    ...files,
  ]
  for (const one of found) {
    const model = makeModel(one)
    if (model !== undefined) byUid.set(model.uid, model)
    else if (!/^(?:strapi::|plugins::users-permissions\.permission$)/.test(one.formerUid))
      notes.leftOut('types of plugins, with their rows', one.formerUid.slice(0, 200))
  }
  const models = [...byUid.values()]
  if (models.every(({ plugin }) => plugin !== undefined))
    throw new Error(
      'There are no definitions of a Strapi 3 in the database (core_store): is it another one? Its sources can be named, too (--definitions)',
    )
  return models
}

/** Reads `core_store`, in which Strapi 3 keeps its settings and the definitions of its last start. */
export async function readStoredCore(db: Db) {
  const models: Found[] = []
  /** By key. */
  const settings = new Map<string, unknown>()
  const rows = db.collection('core_store').find({}, { projection: { _id: 0, key: 1, value: 1 } })
  for await (const { key, value } of rows) {
    if (typeof key !== 'string' || typeof value !== 'string') continue
    const said = parsed(value)
    if (!key.startsWith(definitionPrefix)) settings.set(key, said)
    else if (isObject(said))
      models.push({ formerUid: key.slice(definitionPrefix.length), definition: said })
  }
  return { models, settings }
}

const definitionPrefix = 'model_def_'

/** A value is text in JSON; older rows of some plugins are plain text. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
