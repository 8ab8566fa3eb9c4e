import { fail } from '../../engine/errors.js'
import type { HttpRequest, Reply, Route, SentContent } from '../http/route.js'
import { findProviderOf } from './find-provider.js'
import { uploadHeaders, uploadsPath } from './serve.js'
import type { Providers } from './storage-provider.js'

/** A request for `/uploads/:name`. */
type FileRequest = Pick<HttpRequest, 'search' | 'isHead' | 'signal' | 'ignored'> &
  Readonly<{
    /** Has the form of names that Quire creates. */
    name: string
  }>

/** The stored name of the file to send, and the response headers. */
type ServedFile = Readonly<{
  name: string
  headers: Readonly<Record<string, string>>
  /** When the client's link to a private file expires. */
  until?: Date
}>

/**
 * Decides how a file is served. Each step gets the previous result; a `Reply` ends the sequence. Throws if access is
 * denied.
 */
export type ServingStep = (
  request: FileRequest,
  served: ServedFile,
) => Promise<ServedFile | Reply> | ServedFile | Reply

/** Serves stored content from any provider (docs/internals/decisions.md, "How files are served"). */
export function serveRoute(providers: Providers, steps: readonly ServingStep[]): Route {
  return {
    method: 'GET',
    path: `${uploadsPath}/:name`,
    guard: 'open',
    documented: {
      id: 'readContent',
      summary: 'Get the content of a file',
      tag,
      answers: {
        200: { mediaType: '*/*' },
        206: { mediaType: '*/*' },
        302: 'empty',
        304: 'empty',
      },
      errors: [401, 403, 412, 416],
    },
    handle: async ({ params, search, isHead, signal, ignored }) => {
      const name = params['name'] ?? ''
      const headers = uploadHeaders(name)
      if (headers === undefined) throw fail('not-found')
      let served: ServedFile = { name, headers }
      for (const step of steps) {
        const decided = await step({ name, search, isHead, signal, ignored }, served)
        if ('status' in decided) return decided
        served = decided
      }
      const content = await findContent(providers, served.name)
      if (content === undefined) throw fail('not-found')
      return { status: 200, headers: served.headers, content }
    },
  }
}

/** Finds content in any provider. Throws `unavailable` if one fails and no other has the content. */
export async function findContent(
  providers: Providers,
  name: string,
): Promise<SentContent | undefined> {
  const match = await findProviderOf(providers, name)
  if (match === undefined) return undefined
  const { provider, found } = match
  // Content under a name never changes, so the ETag needs no hash.
  const etag = `"${name}-${found.size}"`
  return { ...found, etag, open: (range) => provider.open(name, range) }
}

const tag = 'Files'
