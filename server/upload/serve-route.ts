import { fail } from '../../engine/errors.js'
import type { HttpRequest, Reply, Route, SentContent } from '../http/route.js'
import { findHolder } from './find-holder.js'
import { uploadHeaders, uploadsPath } from './serve.js'
import type { Providers } from './storage-provider.js'

/** A request for `/uploads/:name`. */
type AskedFile = Pick<HttpRequest, 'search' | 'isHead' | 'signal' | 'ignored'> &
  Readonly<{
    /** One that this service could have given. */
    name: string
  }>

/** What is sent: the content that is stored under a name, with these headers. */
type ServedFile = Readonly<{
  name: string
  headers: Readonly<Record<string, string>>
  /** Of a private file: when the client's link to it ends. */
  until?: Date
}>

/**
 * What decides how a file is served; these run one after the other, each with what the one before it decided. One that
 * answers a `Reply` ends it, a link elsewhere for example. Throws for what is refused.
 */
export type ServingStep = (
  asked: AskedFile,
  served: ServedFile,
) => Promise<ServedFile | Reply> | ServedFile | Reply

/** Serves what is stored, whichever provider has it (docs/decisions.md, "How files are served"). */
export function serveRoute(providers: Providers, steps: readonly ServingStep[]): Route {
  return {
    method: 'GET',
    path: `${uploadsPath}/:name`,
    guard: 'open',
    documented: {
      id: 'readContent',
      summary: 'The content of a file',
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

/** Stored content, in the provider that has it. Throws `unavailable` where it is in none that answers and one does not. */
export async function findContent(
  providers: Providers,
  name: string,
): Promise<SentContent | undefined> {
  const holder = await findHolder(providers, name)
  if (holder === undefined) return undefined
  const { provider, found } = holder
  // What is stored under a name never changes, wherever it is.
  const etag = `"${name}-${found.size}"`
  return { ...found, etag, open: (range) => provider.open(name, range) }
}

const tag = 'Files'
