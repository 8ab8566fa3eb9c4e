import { nearestName } from '../../engine/errors/nearest-name.js'
import { allows } from '../../engine/schema/grant.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { type DocumentAction, documentActions } from '../../engine/write.js'
import type { Dispatcher, Match, Methods } from '../http/routes/routing.js'
import type { Endpoint, Method } from '../http/route.js'
import type { Services } from '../services.js'
import {
  type DocumentEndpoints,
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
        ? matchDocument(singleEndpoints(documents, type), type, '/api/:type', rest)
        : matchCollection(documents, type, rest, settings)
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

function matchCollection(
  documents: Documents,
  type: ContentType,
  [documentId, ...rest]: readonly string[],
  settings: Settings,
): Match | undefined {
  // Neither `aggregate` nor `bulk` can be a documentId, which is always longer.
  if (rest.length === 0 && documentId === 'aggregate')
    return on(type, '/api/:type/aggregate', { GET: aggregateEndpoint(documents, type) })
  if (rest.length === 0 && documentId === 'bulk')
    return on(type, '/api/:type/bulk', { POST: bulkEndpoint(documents, type, settings) })
  const endpoints = collectionEndpoints(documents, type, documentId)
  return documentId === undefined
    ? on(type, '/api/:type', { GET: endpoints.list, POST: endpoints.create })
    : matchDocument(endpoints, type, '/api/:type/:documentId', rest)
}

/**
 * Matches a document, or `actions/<action>` below it. Only types with drafts have actions (docs/internals/decisions.md,
 * "Publication by its own endpoints").
 */
function matchDocument(
  endpoints: DocumentEndpoints,
  type: ContentType,
  path: string,
  rest: readonly string[],
): Match | undefined {
  if (rest.length === 0)
    return on(type, path, {
      GET: endpoints.read,
      PUT: endpoints.update,
      DELETE: endpoints.remove,
    })
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
