import type { Grant } from '../../../engine/schema/grant.js'
import type { Method, Route } from '../route.js'

/** The handler for one method of a path, and its options. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

/** The methods of a path. A request with another method gets a 405, with an `Allow` header that lists these methods. */
export type Methods = ReadonlyMap<Method, Endpoint>

export type Match = Readonly<{
  methods: Methods
  /**
   * The path with parameter names instead of values: `/api/:type/:documentId`. It does not contain names of types or
   * documents, so there are only a few different patterns.
   */
  pattern: string
  /** Uid of the content-type. */
  type: string
  /** The handler's `request.params`; default: empty. */
  params?: Readonly<Record<string, string>>
}>

/**
 * Finds endpoints for the paths of `/api` that no built-in route matches, using the current registry. There is no
 * Express route for each type, because content-types are added and removed while the service runs.
 */
export type Dispatcher = Readonly<{
  /**
   * Finds the endpoint of a path. `segments` are the decoded, non-empty parts of the path after `/api/`:
   * `['articles', 'x3k…']`. Called anew for every request, so the result may contain types of the current registry.
   * Returns undefined if the response must be a 404.
   */
  match: (segments: readonly string[]) => Match | undefined
  /**
   * Returns the path that the client probably meant, among the paths that `grant` allows.
   * @param isBelow whether the unknown path was below `/api`
   */
  suggest?: (segments: readonly string[], grant: Grant, isBelow: boolean) => string | undefined
}>
