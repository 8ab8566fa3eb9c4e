import type { Caller } from '../accounts/caller.js'
import { lacking } from '../accounts/lacking.js'
import { unlessHeld } from '../http/conditional-reply.js'
import { object } from '../http/json-schemas.js'
import { reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes-of.js'
import type { Documents } from './document-memory.js'
import { viewOf } from './view.js'

/** Who may read what the API is: `documentation.access`, as it stands for this service. */
export type DocumentationAccess = 'public' | 'admins'

/** `/documentation/openapi.json`: what its caller may call (docs/openapi.md). */
export const documentationRoutes = (
  documents: Documents,
  access: DocumentationAccess,
): readonly Route[] =>
  routesOf(
    { guard: { kind: 'anyone' }, tag: 'Documentation' },
    {
      'GET /documentation/openapi.json': {
        id: 'readOpenApi',
        summary: 'This document',
        answers: { 200: { ...object, required: ['openapi', 'paths'] }, 304: 'empty' },
        handle: async (request) => {
          const { caller, headers } = request
          if (access === 'admins' && !knowsDefinitions(caller)) throw lacking(caller)
          const format = headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat'
          const { bytes, etag } = await documents(viewOf(caller, format))
          const caching = {
            ETag: etag,
            'Cache-Control': 'private, no-cache',
            Vary: 'Authorization, Strapi-Response-Format',
          }
          return unlessHeld(request, etag, caching) ?? reply(200, await bytes(), caching)
        },
      },
    },
  )

/** Full-access tokens read the definitions already, of which the document is made. */
const knowsDefinitions = (caller: Caller): boolean =>
  caller.kind === 'admin' || (caller.kind === 'token' && caller.token.type === 'full-access')
