import { nearestName } from '../../engine/errors/nearest-name.js'
import { allows } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { type DocumentAction, documentActions } from '../../engine/write.js'
import type { Dispatcher, Match, Methods } from '../http/routes/routing.js'
import type { Endpoint, Method } from '../http/route.js'
import type { Services } from '../services.js'
import {
  type Endpoints,
  aggregateEndpoint,
  collectionEndpoints,
  singleEndpoints,
} from './endpoints.js'
import type { Settings } from '../settings/settings.js'
import { withLegacyIds } from './legacy-ids.js'
import { bulkEndpoint } from './bulk/bulk-endpoint.js'
import type { Documents } from './documents.js'

/**
 * Resolves the paths of content: `/api/<plural>`, `/api/<plural>/aggregate`, `/api/<plural>/bulk`,
 * `/api/<plural>/<documentId>`, `/api/<singular>`, and actions. Components and built-in types have no paths here.
 */
export function contentDispatcher({ registry, settings, db, ...services }: Services): Dispatcher {
  const documents = settings['import.legacyIds']
    ? withLegacyIds(services.documents, db)
    : services.documents
  return {
    match: ([apiName = '', ...rest]) => {
      const type = registry().byApiName.get(apiName.toLowerCase())
      if (type === undefined) return undefined
      return type.kind === 'singleType'
        ? matchSingle(singleEndpoints(documents, type), type, rest)
        : (matchOfAll(documents, type, rest, settings) ??
            matchCollection(type, rest, (documentId) =>
              collectionEndpoints(documents, type, documentId),
            ))
    },
    suggest: ([apiName = '', ...rest], grant, isBelow) => {
      const named = new Map(
        [...registry().byApiName].filter(([, { uid }]) => allows(grant, uid, 'find')),
      )
      const given = apiName.toLowerCase()
      const name = named.has(given) ? given : nearestName(apiName, named.keys())
      const type = named.get(name ?? '')
      if (name === undefined || type === undefined) return undefined
      const tail = nearAction(type, rest)
      if (isBelow && name === given && tail === undefined) return undefined
      const path = [name, ...(tail ?? rest).map(encodeURIComponent)]
      return [settings['api.rest.prefix'], ...path].join('/')
    },
  }
}

function matchSingle(
  endpoints: Endpoints,
  type: ContentType,
  rest: readonly string[],
): Match | undefined {
  if (rest.length > 0) return matchAction(endpoints, type, '/api/:type', rest)
  return on(type, '/api/:type', {
    GET: endpoints.read,
    PUT: endpoints.update,
    DELETE: endpoints.remove,
  })
}

/** Matches `aggregate` and `bulk` in the place of a documentId. Neither can be one: a documentId is always longer. */
function matchOfAll(
  documents: Documents,
  type: ContentType,
  [name, ...rest]: readonly string[],
  settings: Settings,
): Match | undefined {
  if (rest.length > 0) return undefined
  if (name === 'aggregate')
    return on(type, '/api/:type/aggregate', { GET: aggregateEndpoint(documents, type) })
  if (name === 'bulk')
    return on(type, '/api/:type/bulk', { POST: bulkEndpoint(documents, type, settings) })
  return undefined
}

function matchCollection(
  type: ContentType,
  [documentId, ...rest]: readonly string[],
  endpointsOf: (documentId?: string) => Endpoints,
): Match | undefined {
  const endpoints = endpointsOf(documentId)
  if (documentId === undefined)
    return on(type, '/api/:type', { GET: endpoints.list, POST: endpoints.create })
  if (rest.length > 0) return matchAction(endpoints, type, '/api/:type/:documentId', rest)
  return on(type, '/api/:type/:documentId', {
    GET: endpoints.read,
    PUT: endpoints.update,
    DELETE: endpoints.remove,
  })
}

/**
 * Matches `actions/<action>`. Only types with drafts have actions (docs/internals/decisions.md, "Publication by its own
 * endpoints").
 */
function matchAction(
  endpoints: Endpoints,
  type: ContentType,
  path: string,
  rest: readonly string[],
): Match | undefined {
  const [segment, action = '', ...more] = rest
  if (segment !== 'actions' || more.length > 0 || !type.draftAndPublish || !isAction(action)) {
    return undefined
  }
  return on(type, `${path}/actions/${action}`, { POST: endpoints.act(action) })
}

/** Suggests `<documentId>/actions/publish` for `<documentId>/publish` or `<documentId>/actions/publsh`. */
function nearAction(
  { kind, draftAndPublish }: ContentType,
  rest: readonly string[],
): readonly string[] | undefined {
  const place = kind === 'singleType' ? 0 : 1
  const [first, name = first, ...more] = rest.slice(place)
  if (!draftAndPublish || name === undefined || more.length > 0) return undefined
  const action = isAction(name) ? name : nearestName(name, documentActions)
  return action === undefined ? undefined : [...rest.slice(0, place), 'actions', action]
}

const isAction = (name: string): name is DocumentAction =>
  (documentActions as readonly string[]).includes(name)

function on(
  { uid }: ContentType,
  pattern: string,
  endpoints: Partial<Record<Method, Endpoint>>,
): Match {
  return { pattern, type: uid, methods: new Map(Object.entries(endpoints)) as Methods }
}
