import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { isLocalized } from '../../import-runner/compare-definitions.js'
import { builtInModels, otherwiseKept } from './built-in-models.js'
import { globalIdOf } from './letter-cases.js'
import type { Model } from './model.js'

/** A definition of a Strapi 3 model, with its uid and route. */
export type Found = Readonly<{
  /** The uid in Strapi 3: `application::article.article`, `plugins::upload.file` or `shared.seo`. */
  v3Uid: string
  definition: PlainObject
  route?: string | undefined
}>

/** Converts a definition to a model, or to undefined if it belongs to a plugin that Quire does not replace. */
export function makeModel({ v3Uid, definition, route }: Found): Model | undefined {
  const [, origin, owner = '', given = ''] = /^(?:(\w+)::)?([^.:]+)\.(.+)$/.exec(v3Uid) ?? []
  const name = given.toLowerCase()
  if (origin === 'plugins') {
    const known = builtInModels.find((one) => one.plugin === owner && one.name === name)
    return known === undefined ? undefined : extended(known, definition)
  }
  const options = objectOf(definition.options)
  const collectionName = textOf(definition, 'collectionName')
  const own = textOf(definition, 'globalId')
  if (origin === undefined && owner !== '')
    return {
      kind: 'component',
      uid: v3Uid,
      name: v3Uid,
      isSingle: false,
      globalId: own ?? globalIdOf(`component ${v3Uid}`),
      collectionName: collectionName ?? `components_${owner}_${given}`,
      attributes: attributesOf(definition),
      draftAndPublish: false,
      localized: false,
      info: objectOf(definition.info),
    }
  if (origin !== 'application') return undefined
  const localized = isLocalized({ definition })
  const draftAndPublish = options.draftAndPublish === true
  const timestamps = timestampsOf(options)
  const added = new Set([
    ...(timestamps ?? []),
    ...(localized ? ['locale', 'localizations'] : []),
    ...(draftAndPublish ? ['published_at'] : []),
  ])
  return {
    kind: 'content-type',
    uid: `api::${owner}.${given}`,
    name,
    globalId: own ?? globalIdOf(given),
    isSingle: definition.kind === 'singleType',
    collectionName: collectionName ?? name,
    attributes: attributesOf(definition, added),
    draftAndPublish,
    localized,
    info: objectOf(definition.info),
    timestamps,
    route,
  }
}

function extended(known: Model, definition: PlainObject): Model {
  const { uid, attributes, timestamps = [] } = known
  const there = [...Object.keys(attributes), ...timestamps, ...(otherwiseKept[uid] ?? [])]
  return {
    ...known,
    collectionName: textOf(definition, 'collectionName') ?? known.collectionName,
    attributes: { ...attributes, ...attributesOf(definition, new Set(there)) },
  }
}

/**
 * Returns a model's attributes, except `created_by` and `updated_by`, because these refer to admins.
 * @param left names of other attributes to leave out, because they were added by Strapi and not by the project
 */
function attributesOf(
  definition: PlainObject,
  left: ReadonlySet<string> = new Set(),
): Model['attributes'] {
  const given = objectOf(definition.attributes)
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, attribute]) => {
      if (!isObject(attribute) || left.has(name)) return []
      const isOfAdmin = name === 'created_by' || name === 'updated_by'
      return isOfAdmin && attribute.plugin === 'admin' ? [] : [[name, attribute]]
    }),
  )
}

function timestampsOf(options: PlainObject): readonly [string, string] | undefined {
  const given = options.timestamps
  if (given === true) return ['createdAt', 'updatedAt']
  if (!Array.isArray(given)) return undefined
  const [created, updated] = given as readonly unknown[]
  return [
    typeof created === 'string' ? created : 'createdAt',
    typeof updated === 'string' ? updated : 'updatedAt',
  ]
}

/** Returns a member's value if it is a non-empty string. */
export function textOf(raw: PlainObject, key: string): string | undefined {
  const value = raw[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
