import { fail } from '../../engine/errors.js'
import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { dataReply, found, type Json, type Reply, type Route } from '../http/route.js'
import type { Services } from '../services.js'
import { queryParameter } from '../http/documented.js'
import { inData, list, members, object, text } from '../http/routes/json-schemas.js'
import { forAdmins, routesOf } from '../http/routes/routes-of.js'
import type {
  ContentType,
  Component,
  Definition,
  Structure,
} from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'

const kinds: readonly string[] = ['collectionType', 'singleType']

/**
 * Routes that list types as Strapi's content-type builder does: for admins (docs/internals/decisions.md, "Admins are
 * apart"), and below `/api` with a full-access token (docs/internals/strapi-behaviour.md, "Definitions over the API").
 */
export function contentTypeRoutes({ registry }: Pick<Services, 'registry'>): readonly Route[] {
  const routes = routesOf(
    { guard: 'full-access', tag: 'Definitions' },
    {
      'GET /api/content-type-builder/content-types': {
        id: 'listContentTypes',
        summary: 'Definitions of content-types',
        query: [queryParameter('kind', 'Only content-types of this kind', { enum: kinds })],
        answer: inData(list(contentType)),
        handle: ({ search }) => listContentTypes([...registry().contentTypes.values()], search),
      },
      'GET /api/content-type-builder/content-types/:uid': {
        id: 'readContentType',
        summary: 'Show the definition of a content-type',
        answer: inData(contentType),
        handle: ({ params }) => {
          const type = registry().contentTypes.get(params.uid ?? '')
          return dataReply(showContentType(found(type, 'contentType.notFound')))
        },
      },
      'GET /api/content-type-builder/components': {
        id: 'listComponents',
        summary: 'Definitions of components',
        answer: inData(list(component)),
        handle: () => dataReply([...registry().components.values()].map(showComponent)),
      },
      'GET /api/content-type-builder/components/:uid': {
        id: 'readComponent',
        summary: 'Show the definition of a component',
        answer: inData(component),
        handle: ({ params }) => {
          const one = registry().components.get(params.uid ?? '')
          return dataReply(showComponent(found(one, 'component.notFound')))
        },
      },
    },
  )
  return [...routes.map(forAdmins), ...routes]
}

/** `?kind=singleType` selects one kind. */
function listContentTypes(types: readonly ContentType[], search: string): Reply {
  const kind = new URLSearchParams(search).get('kind')
  if (kind !== null && !kinds.includes(kind)) {
    throw fail('validation', `kind must be one of ${kinds.join(', ')}`, suggestionFor(kind, kinds))
  }
  const shown = types.filter((type) => kind === null || type.kind === kind)
  return dataReply(shown.map(showContentType))
}

const contentType = members({ uid: text, apiID: text, schema: object }, { plugin: text })
const component = members({ uid: text, category: text, apiId: text, schema: object })

/** Returns a content-type in the format of Strapi's content-type builder. */
function showContentType(type: ContentType): Json {
  const pluginOptions = objectOf(type.definition, 'pluginOptions')
  const builder = pluginOptions['content-type-builder']
  return {
    uid: type.uid,
    plugin: /^plugin::([^.]*)/.exec(type.uid)?.[1],
    apiID: type.uid.slice(type.uid.indexOf('.') + 1),
    schema: {
      draftAndPublish: type.draftAndPublish,
      displayName: type.displayName,
      singularName: type.singularName,
      pluralName: type.pluralName,
      description: objectOf(type.definition, 'info').description ?? '',
      pluginOptions,
      kind: type.kind,
      collectionName: type.collectionName,
      attributes: showAttributes(type),
      visible: !(isObject(builder) && builder.visible === false),
      restrictRelationsTo: null,
    },
  }
}

/** Returns a component in the format of Strapi's content-type builder. */
function showComponent(component: Component): Json {
  const { uid, category, displayName, definition } = component
  const info = objectOf(definition, 'info')
  return {
    uid,
    category,
    apiId: uid.slice(category.length + 1),
    schema: {
      icon: info.icon,
      displayName,
      description: info.description ?? '',
      collectionName:
        typeof definition.collectionName === 'string' ? definition.collectionName : undefined,
      pluginOptions: objectOf(definition, 'pluginOptions'),
      attributes: showAttributes(component),
    },
  }
}

type JsonObject = Readonly<Record<string, Json | undefined>>

/** Returns a member if it is an object. Objects in definitions are always JSON. */
function objectOf(definition: Definition, key: string): JsonObject {
  const value = definition[key]
  return isObject(value) ? (value as JsonObject) : {}
}

/** Returns attributes in the format of Strapi's content-type builder: as in the file, with some defaults. */
function showAttributes({ definition, attributes }: Structure): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(definition, 'attributes'))
      // Attributes that are not in use are left out, as in Strapi.
      .filter(([name]) => attributes.has(name))
      .map(([name, attribute]) => [
        name,
        isObject(attribute) ? showAttribute(attribute as JsonObject) : attribute,
      ]),
  )
}

function showAttribute(attribute: JsonObject): JsonObject {
  const flags = {
    required: attribute.required === true,
    private: attribute.private === true,
  }
  if (attribute.type === 'media')
    return { ...attribute, multiple: attribute.multiple === true, ...flags }
  if (attribute.type !== 'relation') return attribute
  const targetAttribute = attribute.inversedBy ?? attribute.mappedBy ?? null
  return { ...attribute, targetAttribute, ...flags }
}
