import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { builtInDefinitions } from '../../../engine/schema/define/built-in.js'
import { objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { definitionOf } from '../../import-runner/place-definitions.js'
import type { Notes } from '../../import-strapi/notes.js'
import { kebabCase } from '../models/letter-cases.js'
import { textOf } from '../models/make-model.js'
import type { Model } from '../models/model.js'
import { convertAttribute } from './convert-attribute.js'

/** Converts models to definitions of Strapi 5 with the paths of their files. */
export function convertModels(
  models: readonly Model[],
  notes: Notes,
): readonly SourcedDefinition[] {
  const names = namesOf(models, notes)
  return models.flatMap((model) => {
    const attributes = attributesOf(model, models, notes)
    const { uid, collectionName, plugin, draftAndPublish, localized } = model
    const info = {
      displayName: textOf(model.info, 'name') ?? model.name,
      description: textOf(model.info, 'description'),
      icon: textOf(model.info, 'icon'),
    }
    if (model.kind === 'component')
      return definitionOf(uid, { collectionName, info, options: {}, attributes })
    if (plugin !== undefined)
      return Object.keys(attributes).length === 0 ? [] : definitionOf(uid, { attributes })
    const definition = {
      kind: model.isSingle ? 'singleType' : 'collectionType',
      collectionName,
      info: { ...names.get(uid), ...info },
      options: { draftAndPublish },
      pluginOptions: localized ? { i18n: { localized } } : undefined,
      attributes,
    }
    return definitionOf(uid, definition)
  })
}

function attributesOf(model: Model, models: readonly Model[], notes: Notes): PlainObject {
  const known = objectOf(builtInDefinitions.get(model.uid)?.attributes)
  return Object.fromEntries(
    Object.entries(model.attributes).flatMap(([name, attribute]) => {
      if (Object.hasOwn(known, name)) return []
      const converted = convertAttribute({ model, name, attribute }, models, notes)
      return converted === undefined ? [] : [[name, converted]]
    }),
  )
}

/**
 * Returns the singular and plural name of each type. The name in API paths is the one in the project's routes,
 * otherwise that of the collection, which is a plural in Strapi 3. If another type already has this name, derives a
 * name from the uid.
 */
function namesOf(models: readonly Model[], notes: Notes): ReadonlyMap<string, PlainObject> {
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
        notes.adapted(
          'API paths of types, which can contain only lower-case letters, digits and -',
          `${route}: ${path}`,
        )
      return [uid, { singularName, pluralName }]
    }),
  )
}
