import type { Schema } from 'yup'
import { allows } from '../../engine/schema/grant.js'
import { typeOf } from '../../engine/schema/registry.js'
import type {
  Documented,
  DocumentedAnswer,
  EntrySchemas,
  JsonSchema,
  JsonSchemas,
} from '../http/documented.js'
import type { Guard, Route } from '../http/route.js'
import type { Paths } from './content-operations.js'
import { entrySchema, entrySchemaWith } from './entry-schemas.js'
import { errorReferences } from './error-responses.js'
import { orExplained, type DocumentBuilder } from './document-builder.js'
import {
  listedParameters,
  pathParameter,
  queryParameter,
  sharedParameter,
  shownParameters,
} from './parameters.js'
import { yupSchema } from './yup-schema.js'

/** Returns the documented operations of built-in routes that the caller may use. */
export function ownPaths(making: DocumentBuilder, routes: readonly Route[]): Paths {
  const paths: Paths = {}
  for (const route of routes) {
    if (route.documented === undefined || !mayCall(making, route.guard)) continue
    const path = pathOf(making, route.path)
    const methods = (paths[path] ??= {})
    methods[route.method.toLowerCase()] = operationOf(making, route, route.documented)
  }
  return paths
}

function mayCall({ view }: DocumentBuilder, guard: Guard): boolean {
  switch (guard) {
    case 'open':
    case 'anyone':
      return true
    case 'admin':
      return view.admin
    case 'full-access':
      return view.fullAccess
    default: {
      const [, uid = '', verb = ''] = /^(.*)\.([^.]*)$/.exec(guard.action) ?? []
      return allows(view.grant, uid, verb)
    }
  }
}

/** Converts `/api/users/:id` to `/api/users/{id}`, with the configured prefix. */
function pathOf({ settings }: DocumentBuilder, path: string): string {
  const named = path.replaceAll(/:(\w+)/g, '{$1}')
  return named.startsWith('/api/')
    ? settings['api.rest.prefix'] + named.slice('/api'.length)
    : named
}

function operationOf(
  making: DocumentBuilder,
  { method, path, guard }: Route,
  documented: Documented,
): JsonSchema {
  const { id, summary, tag, answers, errors } = documented
  const guarded = guard !== 'open'
  const isQuery = documented.lists !== undefined || documented.shows !== undefined
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters: parametersOf(making, path, documented),
    requestBody: bodyOf(making, documented),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => {
          return [status, responseOf(making, answer, status === '200' && isQuery)]
        }),
      ),
      ...(method === 'GET' &&
        path.startsWith('/api/') &&
        guarded && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...errorReferences(method, guarded, path.includes(':'), errors),
    },
    security: guard === 'admin' ? [{ admin: [] }] : guarded ? undefined : [],
  }
}

function parametersOf(
  making: DocumentBuilder,
  path: string,
  { query = [], lists, shows }: Documented,
) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(name))
  const own = query.map(({ name, description, schema, required }) => ({
    ...queryParameter(name, description, schema),
    required,
  }))
  const uid = lists ?? shows
  if (uid === undefined) return [...inPath, ...own]
  const type = typeOf(making.registry, uid)
  const listed =
    lists === undefined ? [] : [...listedParameters(making, type), sharedParameter('search')]
  const explain = making.view.fullAccess ? [sharedParameter('explain')] : []
  return [...inPath, ...own, ...shownParameters(making, type), ...listed, ...explain]
}

function bodyOf(
  making: DocumentBuilder,
  { body, bodyType, bodyOptional }: Documented,
): JsonSchema | undefined {
  if (body === undefined) return undefined
  const schema =
    typeof body === 'function' ? body(entrySchemas(making)) : isYup(body) ? yupSchema(body) : body
  // A body without required members may be absent (`server/http/request/validate-body.ts`).
  const isOptional =
    bodyOptional === true ||
    (typeof body === 'object' && isYup(body) && schema.required === undefined)
  return {
    required: isOptional ? undefined : true,
    content: { [bodyType ?? 'application/json']: { schema } },
  }
}

const isYup = (body: Schema | JsonSchema): body is Schema => '__isYupSchema__' in body

function responseOf(
  making: DocumentBuilder,
  answer: DocumentedAnswer,
  isQuery: boolean,
): JsonSchema {
  if (answer === 'empty') return { description: 'Done' }
  if ('mediaTypes' in answer) {
    const types = Object.entries(answer.mediaTypes as JsonSchemas)
    const content = Object.fromEntries(types.map(([name, schema]) => [name, { schema }]))
    return { description: 'The content, in the requested form', content }
  }
  if (typeof answer === 'function' || typeof answer.mediaType !== 'string') {
    const schema = typeof answer === 'function' ? answer(entrySchemas(making)) : answer
    const shown = isQuery ? orExplained(making, schema) : schema
    return { description: 'The answer', content: { 'application/json': { schema: shown } } }
  }
  return {
    description: 'The content',
    content: { [answer.mediaType]: 'schema' in answer ? { schema: answer.schema } : {} },
  }
}

function entrySchemas(making: DocumentBuilder): EntrySchemas {
  // Built-in endpoints do not support Strapi 4's response format.
  const flat: DocumentBuilder = { ...making, view: { ...making.view, format: 'flat' } }
  return {
    entry: (uid) => entrySchema(flat, typeOf(making.registry, uid)),
    entryWith: (uid, ...more) => entrySchemaWith(flat, typeOf(making.registry, uid), ...more),
  }
}
