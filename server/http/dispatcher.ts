import type { Grant } from '../../engine/schema/grant.js'
import type { Method, Route } from './route.js'

/** What answers one verb of a path. */
export type Endpoint = Omit<Route, 'method' | 'path' | 'documented'>

/** The verbs that a path knows; any other is answered with 405 and an `Allow` header made of these. */
export type Methods = ReadonlyMap<Method, Endpoint>

export type Match = Readonly<{
  methods: Methods
  /** One of a few, whatever the types and documents are called: `/api/:type/:documentId`. */
  pattern: string
  /** Uid of the content-type. */
  type: string
  /** What `request.params` of the handler will be; default empty. */
  params?: Readonly<Record<string, string>>
}>

/**
 * Answers the paths of `/api` that no built-in route knows, by the live registry: types come and go
 * while the service runs, so there is no Express route per type.
 */
export type Dispatcher = Readonly<{
  /**
   * `segments` are the parts of the path after `/api/`, decoded, none of them empty: `['articles', 'x3k…']`.
   * Called once per request: what it returns may hold on to one snapshot of the registry. `undefined` is 404.
   */
  match: (segments: readonly string[]) => Match | undefined
  /**
   * The path that was probably meant by one that is nothing, of those that the grant may ask for.
   * @param isBelow whether it was below `/api`
   */
  suggest?: (segments: readonly string[], grant: Grant, isBelow: boolean) => string | undefined
}>
