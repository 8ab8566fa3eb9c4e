import { fail } from '../../engine/errors.js'
import type { HttpRequest, Reply, Route } from '../http/route.js'
import type { Services } from '../lifecycle/services.js'
import type { Settings } from '../settings/settings.js'
import { writeTypes, type TypeOptions } from './write-types.js'

/** What types import from, unless who asks says otherwise. */
export const defaultClient = 'quire-content/client'

/**
 * The types of the content-types that there are, as TypeScript (docs/typescript.md): for full-access tokens.
 * `?client=` names the module that they import from.
 */
export function typescriptRoutes({
  registry,
  settings,
}: Pick<Services, 'registry' | 'settings'>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/content-type-builder/typescript',
      guard: { kind: 'full-access' },
      documented: {
        id: 'readTypes',
        summary: 'Types of all content-types, for TypeScript',
        tag: 'Definitions',
        query: [
          {
            name: 'client',
            description: `What the types import from; default \`${defaultClient}\``,
            schema: { type: 'string', pattern: moduleName.source },
          },
        ],
        answers: { 200: { mediaType: 'text/plain', schema: { type: 'string' } } },
        errors: [400],
      },
      handle: (request): Reply => {
        const text = writeTypes(registry(), typeOptions(settings, clientOf(request)))
        return {
          status: 200,
          headers: { 'Content-Type': 'text/plain; charset=utf-8' },
          body: new TextEncoder().encode(text),
        }
      },
    },
  ]
}

export const typeOptions = (settings: Settings, client: string): TypeOptions => ({
  client,
  wrapFilteredRelations: settings['api.rest.wrapFilteredRelations'],
  requiredRelations: settings['validation.requiredRelations'],
  defaultPopulate: settings['api.rest.defaultPopulate'],
})

function clientOf({ search }: HttpRequest): string {
  const client = new URLSearchParams(search).get('client') ?? defaultClient
  if (isModuleName(client)) return client
  throw fail('validation', {
    message: "Invalid parameter at 'client'. Expected the name of a module",
  })
}

/** What an import may name: a package's subpath, or a path. */
export const isModuleName = (text: string): boolean => moduleName.test(text)

const moduleName = /^[@\w./~-]{1,200}$/
