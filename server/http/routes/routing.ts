import type { Express, Request, Response } from 'express'
import { fail } from '../../../engine/errors.js'
import { nearestName } from '../../../engine/errors/nearest-name.js'
import type { Grant } from '../../../engine/schema/grant.js'
import type { Endpoint, Method, Route } from '../route.js'
import { answerRequest, type EndpointParts } from './answer-request.js'

/** Endpoints of a path by method. A request with another method gets a 405 with these methods in `Allow`. */
export type Methods = ReadonlyMap<Method, Endpoint>

export type Match = Readonly<{
  methods: Methods
  /** The route's pattern, such as `/api/:type/:documentId`. There are only a few. */
  pattern: string
  type: string
  params?: Readonly<Record<string, string>>
}>

/**
 * Finds the endpoint of a path that no built-in route matches. Content-types have no Express routes, because they are
 * added and removed while the service runs.
 */
export type Dispatcher = Readonly<{
  /**
   * Finds the endpoint of a path in the current registry; undefined for a 404.
   * @param segments decoded, non-empty parts of the path after `/api/`: `['articles', 'x3k…']`
   */
  match: (segments: readonly string[]) => Match | undefined
  /**
   * Returns the path that the client probably meant. Considers only paths that `grant` allows.
   * @param isBelow whether the unknown path was below `/api`
   */
  suggest?: (segments: readonly string[], grant: Grant, isBelow: boolean) => string | undefined
}>

/**
 * Mounts the content routes, the built-in routes, and the fallback: 404 for an unknown path, and 405 with `Allow` (for
 * OPTIONS, 200) for an unsupported method (docs/internals/decisions.md, "Errors in one form"). Content routes come
 * first, because they are used most. They skip paths whose first segment belongs to a built-in route. If several routes
 * match a path (`/api/users/me` and `/api/users/:id`), the methods of all of them are allowed.
 */
export function mountRoutes(
  app: Express,
  routes: readonly Route[],
  content: Dispatcher,
  parts: EndpointParts,
): void {
  const builtIn = firstSegments(routes)
  const fixed = routes.map(({ path }) => path).filter((path) => !/[:*]/.test(path))
  app.use(async (request, response, next) => {
    const segments = segmentsOf(request.path)
    if (segments === undefined || builtIn.has(segments[0]?.toLowerCase())) return next()
    const match = content.match(segments)
    const endpoint = match && findEndpoint(match.methods, request, response)
    if (match === undefined || endpoint === undefined) return next()
    response.route = { pattern: match.pattern, type: match.type }
    await answerRequest(parts, { endpoint, params: match.params ?? {}, request, response })
  })
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, async (request, response, next) => {
      const endpoint = findEndpoint(methods, request, response)
      if (endpoint === undefined) return next()
      response.route = { pattern: path }
      const params = request.params as Record<string, string>
      await answerRequest(parts, { endpoint, params, request, response })
    })
  }
  app.use(async (request, response) => {
    if (allowedOf(response).length > 0) return answerOtherVerb(request, response)
    const below = segmentsOf(request.path)
    const segments = below ?? segmentsOf(`/api${request.path}`)
    const grant = segments && (await parts.access.grantOf?.(request.headers))
    const suggestion =
      grant &&
      (content.suggest?.(segments ?? [], grant, below !== undefined) ??
        nearestName(request.path, fixed))
    throw fail('not-found', {}, suggestion === undefined ? undefined : { suggestion })
  })
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, Methods> {
  const paths = new Map<string, Map<Method, Endpoint>>()
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<Method, Endpoint>()
    if (methods.has(route.method)) throw new Error(`Two routes: ${route.method} ${route.path}`)
    paths.set(route.path, methods.set(route.method, route))
  }
  return paths
}

/** Returns the endpoint for the request's method. If there is none, records the path's methods for `Allow`. */
function findEndpoint(
  methods: Methods,
  request: Request,
  response: Response,
): Endpoint | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = methods.get(method as Method)
  if (endpoint === undefined) allowedOf(response).push(...methods.keys())
  return endpoint
}

function firstSegments(routes: readonly Route[]): ReadonlySet<string | undefined> {
  return new Set(routes.map(({ path }) => segmentsOf(path)?.[0]))
}

/**
 * Splits `/api/articles/x3k/` into `['articles', 'x3k']`. Returns undefined if the path is not below `/api`, a segment
 * is empty, or the first one contains `%`.
 */
function segmentsOf(path: string): readonly string[] | undefined {
  if (!/^\/api\//i.test(path)) return undefined
  const parts = path.replace(/\/$/, '').split('/').slice(2)
  if (parts.length === 0 || parts.includes('')) return undefined
  return parts[0]?.includes('%') ? undefined : parts.map(decodeURIComponent)
}

function answerOtherVerb(request: Request, response: Response): void {
  const allowed = allowedOf(response)
  const allow = verbs.filter((verb) => allowed.includes(verb === 'HEAD' ? 'GET' : verb)).join(', ')
  if (request.method !== 'OPTIONS')
    throw fail('method-not-allowed', {}, undefined, { Allow: allow })
  response.beforeSend?.()
  response.status(200).setHeader('Allow', allow).type('text/plain').end()
}

const verbs = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function allowedOf(response: Response): Method[] {
  const locals = response.locals as { allowed?: Method[] }
  return (locals.allowed ??= [])
}
