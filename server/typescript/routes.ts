import { fail } from '../../engine/errors.js'
import { queryParameter } from '../http/documented.js'
import { text } from '../http/routes/json-schemas.js'
import { reply, type HttpRequest, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Services } from '../services.js'
import { writeTypes } from './write-types.js'

/** Module from which the generated types import by default. */
export const defaultClient = 'quire-content/client'

/**
 * Returns the route with TypeScript types (docs/typescript.md), for full-access tokens. `?client=` names the module
 * from which they import.
 */
export const typescriptRoutes = ({
  registry,
  settings,
}: Pick<Services, 'registry' | 'settings'>): readonly Route[] =>
  routesOf(
    { guard: 'full-access', tag: 'Definitions' },
    {
      'GET /api/content-type-builder/typescript': {
        id: 'readTypes',
        summary: 'Get TypeScript types of all content-types',
        query: [
          queryParameter(
            'client',
            `Module that the types import from; default \`${defaultClient}\``,
            {
              ...text,
              pattern: moduleName.source,
            },
          ),
        ],
        answer: { mediaType: 'text/plain', schema: text },
        errors: [400],
        handle: (request) => {
          const written = writeTypes(registry(), settings, clientOf(request))
          const bytes = new TextEncoder().encode(written)
          return reply(200, bytes, { 'Content-Type': 'text/plain; charset=utf-8' })
        },
      },
    },
  )

function clientOf({ search }: HttpRequest): string {
  const client = new URLSearchParams(search).get('client') ?? defaultClient
  if (moduleName.test(client)) return client
  throw fail('validation', "Invalid parameter at 'client'. Expected the name of a module")
}

/** Whether a string can be imported: a package, its subpath, or a path. */
export const isModuleName = (text: string): boolean => moduleName.test(text)

const moduleName = /^[@\w./~-]{1,200}$/
