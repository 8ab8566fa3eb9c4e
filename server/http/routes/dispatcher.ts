import type { Grant } from '../../../engine/schema/grant.js'
import type { Method, Route } from '../route.js'

/** The handler of one method of a path, and its options. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

/** The methods of a path. Any other gets 405 with an `Allow` header of these. */
export type Methods = ReadonlyMap<Method, Endpoint>

export type Match = Readonly<{
  methods: Methods
  /** One of a few texts, independent of the names of types and documents: `/api/:type/:documentId`. */
  pattern: string
  /** Uid of the content-type. */
  type: string
  /** The `request.params` of the handler; default empty. */
  params?: Readonly<Record<string, string>>
}>

/**
 * Resolves the paths of `/api` that no built-in route matches, by the live registry. Types come and go while the
 * service runs, so there is no Express route per type.
 */
export type Dispatcher = Readonly<{
  /**
   * `segments` are the decoded, non-empty parts of the path after `/api/`: `['articles', 'x3k…']`. Called once per
   * request, so the result may hold on to one snapshot of the registry. `undefined` is 404.
   */
  match: (segments: readonly string[]) => Match | undefined
  /**
   * Suggests the path that was probably meant by an unknown one, among those that the grant allows.
   * @param isBelow whether it was below `/api`
   */
  suggest?: (segments: readonly string[], grant: Grant, isBelow: boolean) => string | undefined
}>
