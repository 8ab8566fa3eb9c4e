import type { Grant } from '../../../engine/schema/grant.js'
import type { Method, Route } from '../route.js'

/** The handler of one method of a path, and its options. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

/** The methods of a path. Other methods get 405, with an `Allow` header that lists these. */
export type Methods = ReadonlyMap<Method, Endpoint>

export type Match = Readonly<{
  methods: Methods
  /**
   * The path with names for its parameters: `/api/:type/:documentId`. It does not contain names of types or documents,
   * so there are only a few different patterns.
   */
  pattern: string
  /** Uid of the content-type. */
  type: string
  /** The `request.params` of the handler; default empty. */
  params?: Readonly<Record<string, string>>
}>

/**
 * Resolves those paths of `/api` that no built-in route matches, by the current registry. Content-types are added and
 * removed while the service runs, so there is no Express route per type.
 */
export type Dispatcher = Readonly<{
  /**
   * Finds the endpoint of a path. `segments` are the decoded, non-empty parts of the path after `/api/`: `['articles',
   * 'x3k…']`. Called once per request, so the result may refer to the current registry. Returns undefined for a 404.
   */
  match: (segments: readonly string[]) => Match | undefined
  /**
   * Suggests the path that the client probably meant, among the paths that the grant allows.
   * @param isBelow whether the unknown path was below `/api`
   */
  suggest?: (segments: readonly string[], grant: Grant, isBelow: boolean) => string | undefined
}>
