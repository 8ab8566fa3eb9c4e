import type { SourcedDefinition } from '../../../engine/schema/define-all.js'
import { builtInDefinitions } from '../../../engine/schema/built-in.js'
import type { RawObject } from '../../../engine/schema/read-options.js'
import { isObject } from '../../../engine/values/is-object.js'
import { sourceOf } from '../../import-runner/place-definitions.js'
import type { Notes } from '../../import-strapi/notes.js'
import { kebabCase } from '../models/letter-cases.js'
import { textOf } from '../models/make-model.js'
import type { Model } from '../models/model.js'
import { convertAttribute } from './convert-attribute.js'

/** The definitions that a Strapi 5 would have of these models, each with the file of its project that they stand in. */
export function convertModels(
  models: readonly Model[],
  notes: Notes,
): readonly SourcedDefinition[] {
  const named = namesOf(models, notes)
  return models.flatMap((model): readonly SourcedDefinition[] => {
    const attributes = attributesOf(model, models, notes)
    const { uid, kind } = model
    const source = sourceOf(uid)
    if (kind === 'component') {
      const { collectionName } = model
      const definition = { collectionName, info: infoOf(model), options: {}, attributes }
      return [{ kind, uid, source, definition }]
    }
    if (model.plugin !== undefined)
      return Object.keys(attributes).length === 0
        ? []
        : [{ kind, uid, source, definition: { attributes } }]
    return [{ kind, uid, source, definition: typeOf(model, named.get(uid) ?? noNames, attributes) }]
  })
}

const typeOf = (
  { isSingle, collectionName, draftAndPublish, localized, ...model }: Model,
  names: Names,
  attributes: RawObject,
): RawObject => ({
  kind: isSingle ? 'singleType' : 'collectionType',
  collectionName,
  info: { ...names, ...infoOf(model) },
  options: { draftAndPublish },
  pluginOptions: localized ? { i18n: { localized } } : undefined,
  attributes,
})

function attributesOf(model: Model, models: readonly Model[], notes: Notes): RawObject {
  const own = builtInDefinitions.get(model.uid)?.['attributes']
  const known = isObject(own) ? own : {}
  return Object.fromEntries(
    Object.entries(model.attributes).flatMap(([name, attribute]) => {
      if (Object.hasOwn(known, name)) return []
      const converted = convertAttribute({ model, name, attribute }, models, notes)
      return converted === undefined ? [] : [[name, converted]]
    }),
  )
}

const infoOf = ({ info, name }: Pick<Model, 'info' | 'name'>): RawObject => ({
  displayName: textOf(info, 'name') ?? name,
  description: textOf(info, 'description'),
  icon: textOf(info, 'icon'),
})

type Names = Readonly<{ singularName: string; pluralName: string }>

const noNames: Names = { singularName: '', pluralName: '' }

/**
 * What types are called in paths: as the project's routes had it, else by the collection, which Strapi calls by the
 * plural. Where two would be called alike, the later one gets its api's name in front.
 */
function namesOf(models: readonly Model[], notes: Notes): ReadonlyMap<string, Names> {
  const taken = new Set<string>()
  const take = (name: string, { uid }: Model): string => {
    const free = [name, `${kebabCase(uid.slice(uid.indexOf('::') + 2))}`, `${name}-type`]
    const own = free.find((one) => !taken.has(one)) ?? `${name}-${taken.size}`
    taken.add(own)
    return own
  }
  const types = models.filter(({ kind, plugin }) => kind === 'content-type' && plugin === undefined)
  return new Map(
    types.map((model) => {
      const { uid, route, isSingle } = model
      const name = kebabCase(model.name) || 'type'
      const singularName = take(isSingle && route !== undefined ? kebabCase(route) : name, model)
      const listed = kebabCase(isSingle ? `${name}s` : (route ?? model.collectionName))
      const pluralName = take(listed === singularName ? `${listed}s` : listed, model)
      const path = isSingle ? singularName : pluralName
      if (route !== undefined && route !== path)
        notes.adapted('paths of types, which hold small letters and - alone', `${route}: ${path}`)
      return [uid, { singularName, pluralName }]
    }),
  )
}
