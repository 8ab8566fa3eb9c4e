import type { RawObject } from '../../../engine/schema/read-options.js'
import { member } from '../../../engine/schema/read-options.js'
import { isObject } from '../../../engine/values/is-object.js'
import { builtInModels, otherwiseKept } from './built-in-models.js'
import { globalIdOf } from './letter-cases.js'
import type { Model } from './model.js'

/** What is known of a definition beside what it says. */
export type Found = Readonly<{
  /** `application::article.article`, `plugins::upload.file`, `shared.seo`. */
  formerUid: string
  definition: RawObject
  route?: string | undefined
}>

/** A model of a definition; undefined for what is no content-type or component of the project, or of a plugin that is here. */
export function makeModel({ formerUid, definition, route }: Found): Model | undefined {
  const [, origin, owner = '', given = ''] = /^(?:(\w+)::)?([^.:]+)\.(.+)$/.exec(formerUid) ?? []
  const name = given.toLowerCase()
  if (origin === 'plugins') {
    const known = builtInModels.find((one) => one.plugin === owner && one.name === name)
    return known === undefined ? undefined : extended(known, definition)
  }
  const options = objectOf(definition, 'options')
  const collectionName = textOf(definition, 'collectionName')
  const own = textOf(definition, 'globalId')
  if (origin === undefined && owner !== '')
    return {
      kind: 'component',
      uid: formerUid,
      name: formerUid,
      isSingle: false,
      globalId: own ?? globalIdOf(`component ${formerUid}`),
      collectionName: collectionName ?? `components_${owner}_${given}`,
      attributes: attributesOf(definition),
      draftAndPublish: false,
      localized: false,
      info: objectOf(definition, 'info'),
    }
  if (origin !== 'application') return undefined
  const localized = isLocalized(definition)
  const draftAndPublish = member(options, 'draftAndPublish') === true
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
    isSingle: member(definition, 'kind') === 'singleType',
    collectionName: collectionName ?? name,
    attributes: without(attributesOf(definition), added),
    draftAndPublish,
    localized,
    info: objectOf(definition, 'info'),
    timestamps,
    route,
  }
}

/** A type of the service with what the project adds to it. */
function extended(known: Model, definition: RawObject): Model {
  const added = Object.entries(attributesOf(definition)).filter(
    ([name]) =>
      !Object.hasOwn(known.attributes, name) &&
      !known.timestamps?.includes(name) &&
      !otherwiseKept.has(`${known.uid} ${name}`),
  )
  return {
    ...known,
    collectionName: textOf(definition, 'collectionName') ?? known.collectionName,
    attributes: { ...known.attributes, ...Object.fromEntries(added) },
  }
}

/** Those of the project: who wrote a row is kept beside them, as a reference to an admin. */
function attributesOf(definition: RawObject): Model['attributes'] {
  const given = objectOf(definition, 'attributes')
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, attribute]) => {
      const isOfAdmin = isObject(attribute) && attribute['plugin'] === 'admin'
      const isAdded = isOfAdmin && (name === 'created_by' || name === 'updated_by')
      return isObject(attribute) && !isAdded ? [[name, attribute]] : []
    }),
  )
}

const without = (
  attributes: Model['attributes'],
  names: ReadonlySet<string>,
): Model['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.has(name)))

function timestampsOf(options: RawObject): readonly [string, string] | undefined {
  const given = member(options, 'timestamps')
  if (given === true) return ['createdAt', 'updatedAt']
  if (!Array.isArray(given)) return undefined
  const [created, updated] = given as readonly unknown[]
  return [
    typeof created === 'string' ? created : 'createdAt',
    typeof updated === 'string' ? updated : 'updatedAt',
  ]
}

function isLocalized(definition: RawObject): boolean {
  return member(objectOf(objectOf(definition, 'pluginOptions'), 'i18n'), 'localized') === true
}

function objectOf(raw: RawObject, key: string): RawObject {
  const value = member(raw, key)
  return isObject(value) ? value : {}
}

/** The text of a member, where it has any. */
export function textOf(raw: RawObject, key: string): string | undefined {
  const value = member(raw, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}
