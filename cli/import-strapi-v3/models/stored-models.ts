import type { Db } from 'mongodb'
import { isObject } from '../../../engine/values/is-object.js'
import type { Found } from './make-model.js'

/** What a Strapi 3 writes of itself into the database: its settings, and every definition as it was last started with. */
type StoredCore = Readonly<{
  models: readonly Found[]
  /** By key. */
  settings: ReadonlyMap<string, unknown>
}>

const definitionPrefix = 'model_def_'

export async function readStoredCore(db: Db): Promise<StoredCore> {
  const models: Found[] = []
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

/** A value is text in JSON; older rows of some plugins are plain text. */
function parsed(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
