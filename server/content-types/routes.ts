import { fail } from '../../engine/errors.js'
import { suggestionFor } from '../../engine/errors/nearest-name.js'
import {
  reply,
  type Guard,
  type HttpRequest,
  type Reply,
  type Route,
  type Json,
} from '../http/route.js'
import type { Services } from '../lifecycle/services.js'
import { asAdmin, type Documented } from '../http/documented.js'
import { inData, list, members, text } from '../http/json-schemas.js'
import type { ContentType, Component } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import { objectOf, showAttributes } from './show-attributes.js'

const kinds: readonly string[] = ['collectionType', 'singleType']

type Handle = (request: HttpRequest) => Reply
type Told = (documented: Documented) => Documented

/**
 * What types there are, in the shapes of Strapi's content-type builder: for admins (docs/decisions.md,
 * "Admins are apart"), and below `/api` for full-access tokens alone (docs/coming-from-strapi.md,
 * "Definitions over the API").
 */
export function contentTypeRoutes(services: Pick<Services, 'registry'>): readonly Route[] {
  const endpoints: readonly (readonly [path: string, Omit<Documented, 'tag'>, handle: Handle])[] = [
    [
      'content-types',
      {
        id: 'listContentTypes',
        summary: 'Definitions of content-types',
        query: [{ name: 'kind', description: 'Of this kind alone', schema: { enum: kinds } }],
        answers: { 200: inData(list(contentType)) },
      },
      ({ search }) => listContentTypes(services, search),
    ],
    [
      'content-types/:uid',
      {
        id: 'readContentType',
        summary: 'The definition of a content-type',
        answers: { 200: inData(contentType) },
      },
      ({ params }) => getContentType(services, params['uid'] ?? ''),
    ],
    [
      'components',
      {
        id: 'listComponents',
        summary: 'Definitions of components',
        answers: { 200: inData(list(component)) },
      },
      () => listComponents(services),
    ],
    [
      'components/:uid',
      {
        id: 'readComponent',
        summary: 'The definition of a component',
        answers: { 200: inData(component) },
      },
      ({ params }) => getComponent(services, params['uid'] ?? ''),
    ],
  ]
  const mounts: readonly (readonly [prefix: string, guard: Guard, told: Told])[] = [
    ['/content-type-builder', { kind: 'admin' }, asAdmin],
    ['/api/content-type-builder', { kind: 'full-access' }, (documented) => documented],
  ]
  return mounts.flatMap(([prefix, guard, told]) =>
    endpoints.map(([path, documented, handle]): Route => ({
      method: 'GET',
      path: `${prefix}/${path}`,
      guard,
      documented: told({ ...documented, tag: 'Definitions' }),
      handle,
    })),
  )
}

/** `?kind=singleType` narrows the list. */
function listContentTypes({ registry }: Pick<Services, 'registry'>, search: string): Reply {
  const kind = new URLSearchParams(search).get('kind')
  if (kind !== null && !kinds.includes(kind)) {
    const message = `kind must be one of ${kinds.join(', ')}`
    throw fail('validation', { message }, suggestionFor(kind, kinds))
  }
  const types = [...registry().contentTypes.values()]
  const data = types.filter((type) => kind === null || type.kind === kind).map(showContentType)
  return reply(200, { data })
}

function getContentType({ registry }: Pick<Services, 'registry'>, uid: string): Reply {
  const type = registry().contentTypes.get(uid)
  if (type === undefined) throw fail('not-found-because', { message: 'contentType.notFound' })
  return reply(200, { data: showContentType(type) })
}

function listComponents({ registry }: Pick<Services, 'registry'>): Reply {
  return reply(200, { data: [...registry().components.values()].map(showComponent) })
}

function getComponent({ registry }: Pick<Services, 'registry'>, uid: string): Reply {
  const component = registry().components.get(uid)
  if (component === undefined) throw fail('not-found-because', { message: 'component.notFound' })
  return reply(200, { data: showComponent(component) })
}

const object = { type: 'object' }
const contentType = members({ uid: text, apiID: text, schema: object }, { plugin: text })
const component = members({ uid: text, category: text, apiId: text, schema: object })

/** A content-type as Strapi's content-type builder shows it. */
function showContentType(type: ContentType): Json {
  const pluginOptions = objectOf(type.definition, 'pluginOptions')
  const builder = pluginOptions['content-type-builder']
  return {
    uid: type.uid,
    plugin: type.uid.startsWith('plugin::') ? pluginOf(type.uid) : undefined,
    apiID: type.uid.slice(type.uid.indexOf('.') + 1),
    schema: {
      draftAndPublish: type.draftAndPublish,
      displayName: type.displayName,
      singularName: type.singularName,
      pluralName: type.pluralName,
      description: objectOf(type.definition, 'info')['description'] ?? '',
      pluginOptions,
      kind: type.kind,
      collectionName: type.collectionName,
      attributes: showAttributes(type),
      visible: !(isObject(builder) && builder['visible'] === false),
      restrictRelationsTo: null,
    },
  }
}

function pluginOf(uid: string): string {
  return uid.slice('plugin::'.length, uid.indexOf('.'))
}

/** A component as Strapi's content-type builder shows it. */
function showComponent(component: Component): Json {
  const { uid, category, displayName, definition } = component
  const info = objectOf(definition, 'info')
  return {
    uid,
    category,
    apiId: uid.slice(category.length + 1),
    schema: {
      icon: info['icon'],
      displayName,
      description: info['description'] ?? '',
      collectionName:
        typeof definition['collectionName'] === 'string' ? definition['collectionName'] : undefined,
      pluginOptions: objectOf(definition, 'pluginOptions'),
      attributes: showAttributes(component),
    },
  }
}
