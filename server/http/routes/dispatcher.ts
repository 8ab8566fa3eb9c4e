import type { Grant } from '../../../engine/schema/grant.js'
import type { Method, Route } from '../route.js'

/** The handler for one method of a path, and its options. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

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
