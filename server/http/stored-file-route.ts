import { fail } from '../../engine/errors.js'
import type { Route } from './route.js'

type StoredFiles = Readonly<{
  /** Where they are served: `/uploads`. */
  path: string
  /** The folder that holds them. */
  root: string
  /** The headers of a file by its name, and the query string that asks for it; undefined for names that are none of ours. */
  headersOf: (name: string, search: string) => Readonly<Record<string, string>> | undefined
}>

/** Serves the files of one folder, with ranges and conditional requests; 404 for what is not there. */
export function storedFileRoute({ path, root, headersOf }: StoredFiles): Route {
  return {
    method: 'GET',
    path: `${path}/:name`,
    guard: { kind: 'open' },
    handle: ({ params, search }) => {
      const name = params['name'] ?? ''
      const headers = headersOf(name, search)
      if (headers === undefined) throw fail('not-found')
      return { status: 200, headers, file: { root, path: name } }
    },
  }
}
