import { lacking } from '../accounts/lacking.js'
import { unlessHeld } from '../http/response/conditional-reply.js'
import { object } from '../http/routes/json-schemas.js'
import { reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Documents } from './document-memory.js'
import { viewOf } from './view.js'

/**
 * Who may read the OpenAPI document: `documentation.access`, with `auto` replaced by what it means for this service.
 */
export type DocumentationAccess = 'public' | 'admins'

/** Route `/documentation/openapi.json`, with the operations that the caller may use (docs/openapi.md). */
export const documentationRoutes = (
  documents: Documents,
  access: DocumentationAccess,
): readonly Route[] =>
  routesOf(
    { guard: 'anyone', tag: 'Documentation' },
    {
      'GET /documentation/openapi.json': {
        id: 'readOpenApi',
        summary: 'This document',
        answers: { 200: { ...object, required: ['openapi', 'paths'] }, 304: 'empty' },
        handle: async (request) => {
          const { caller, headers } = request
          const format = headers['strapi-response-format'] === 'v4' ? 'v4' : 'flat'
          const view = viewOf(caller, format)
          // Full-access tokens may read the document too, because they can read the definitions that it is derived
          // from.
          if (access === 'admins' && !view.fullAccess) throw lacking(caller)
          const { bytes, etag } = await documents(view)
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
