import { ObjectId, type Db } from 'mongodb'
import { chunksOf } from '../../../engine/values/batches.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { Model } from '../models/model.js'
import type { V3Row } from './number-rows.js'

/** The loaded components, by `componentKey`. */
export type LoadedComponents = ReadonlyMap<string, V3Row>

type ComponentRef = Readonly<{ model: Model; id: ObjectId }>

export const componentKey = ({ model, id }: ComponentRef): string =>
  `${model.uid} ${id.toHexString()}`

const atOnce = 1000

/** Reads the components of rows, including nested ones, with one round of queries per level. */
export async function loadComponents(
  db: Db,
  model: Model,
  rows: readonly V3Row[],
  models: readonly Model[],
): Promise<LoadedComponents> {
  const loaded = new Map<string, V3Row>()
  let level = rows.flatMap((row) => componentsOf(model, row, models))
  while (level.length > 0) {
    const wanted = new Map<Model, Map<string, ObjectId>>()
    for (const ref of level) {
      const key = componentKey(ref)
      if (loaded.has(key)) continue
      const ids = wanted.get(ref.model) ?? new Map<string, ObjectId>()
      wanted.set(ref.model, ids.set(key, ref.id))
    }
    level = []
    for (const [component, ids] of wanted) {
      const collection = db.collection(component.collectionName)
      for (const some of chunksOf([...ids.values()], atOnce))
        for await (const row of collection.find<V3Row>({ _id: { $in: [...some] } })) {
          loaded.set(componentKey({ model: component, id: row._id }), row)
          level.push(...componentsOf(component, row, models))
        }
    }
  }
  return loaded
}

function componentsOf(
  { attributes }: Model,
  row: V3Row,
  models: readonly Model[],
): readonly ComponentRef[] {
  return Object.entries(attributes).flatMap(([name, { type }]) =>
    type === 'component' || type === 'dynamiczone' ? componentsIn(row[name], models) : [],
  )
}

/** Returns the references in a stored list of components, except those of unknown kind. */
export const componentsIn = (value: unknown, models: readonly Model[]): readonly ComponentRef[] =>
  refsIn(value, models, 'component').flatMap(({ model, id }) =>
    model === undefined ? [] : { model, id },
  )

/** Returns the references in a stored value or list. `model` is undefined if the `kind` of the reference is unknown. */
export const refsIn = (
  value: unknown,
  models: readonly Model[],
  kind: Model['kind'],
): readonly Readonly<{ model: Model | undefined; id: ObjectId }>[] =>
  listOf(value).flatMap((item) => {
    if (!isObject(item) || !(item.ref instanceof ObjectId)) return []
    const model = models.find((one) => one.kind === kind && one.globalId === item.kind)
    return [{ model, id: item.ref }]
  })

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [value]
