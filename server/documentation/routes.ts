import type { Caller } from '../accounts/caller.js'
import { lacking } from '../accounts/lacking.js'
import { holdsTag } from '../http/conditional-reply.js'
import { reply, type HttpRequest, type Reply, type Route } from '../http/route.js'
import type { Documents } from './document-memory.js'
import type { PackedText } from './packed-text.js'
import { viewOf } from './view.js'

/** Who may read what the API is: `documentation.access`, as it stands for this service. */
export type DocumentationAccess = 'public' | 'admins'

/** `/documentation/openapi.json`: what its caller may call (docs/openapi.md). */
export function documentationRoutes(
  documents: Documents,
  access: DocumentationAccess,
): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/documentation/openapi.json',
      guard: { kind: 'anyone' },
      documented: {
        id: 'readOpenApi',
        summary: 'This document',
        tag: 'Documentation',
        answers: { 200: { type: 'object', required: ['openapi', 'paths'] }, 304: 'empty' },
      },
      handle: async (request) => {
        if (access === 'admins' && !knowsDefinitions(request.caller)) throw lacking(request.caller)
        return sent(await documents(viewOf(request.caller, formatOf(request))), request)
      },
    },
  ]
}

/** Full-access tokens read the definitions already, of which the document is made. */
const knowsDefinitions = (caller: Caller): boolean =>
  caller.kind === 'admin' || (caller.kind === 'token' && caller.token.type === 'full-access')

const formatOf = ({ headers }: HttpRequest): 'flat' | 'v4' =>
  headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat'

async function sent({ bytes, etag }: PackedText, { headers }: HttpRequest): Promise<Reply> {
  const caching = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Strapi-Response-Format',
  }
  return holdsTag(headers['if-none-match'], etag)
    ? reply(304, undefined, caching)
    : reply(200, await bytes(), caching)
}
