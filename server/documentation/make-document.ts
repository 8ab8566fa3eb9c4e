import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { members, object, text } from '../http/routes/json-schemas.js'
import type { Route } from '../http/route.js'
import { count } from './closed-object.js'
import { contentPaths, type Paths } from './content-operations.js'
import { errorResponses } from './error-responses.js'
import { beginMaking, type Making, type Subject } from './making.js'
import { ownPaths } from './own-operations.js'
import { sharedParameters } from './parameters.js'

/** An OpenAPI 3.1 document as plain data. */
export type OpenApiDocument = Readonly<{
  openapi: '3.1.1'
  paths: Readonly<Record<string, JsonSchemas>>
  components: Components
}> &
  JsonSchema

type Components = Readonly<Record<string, JsonSchemas>>

/**
 * Yields the text of an `OpenApiDocument` for a caller: all operations they may use, with their parameters, bodies,
 * responses and errors (docs/openapi.md). Content operations come from the registry, the other operations from the
 * routes. Equal subjects yield equal documents.
 *
 * Each piece is created when it is requested: a schema, or the operations of a type. Only pieces about files and
 * polymorphic relations grow with the number of types. A step without output yields an empty piece.
 */
export function* makeDocument(subject: Subject, routes: readonly Route[]): Generator<string> {
  const making = beginMaking(subject)
  const { view } = subject
  making.named('Pagination', () => pagination)
  if (view.fullAccess) making.named('Explained', () => explained)
  const responses = { ...errorResponses(making), NotModified: notModified }
  const head = {
    openapi: '3.1.1',
    info: {
      title: subject.project?.name ?? 'Quire',
      version: subject.project?.version ?? String(subject.registry.version),
      description: about,
    },
    servers: [{ url: '/' }],
    security: view.anonymous ? [{}, { bearer: [] }] : [{ bearer: [] }],
  }
  yield `${JSON.stringify(head).slice(0, -1)},"paths":`
  const seen: Seen = { tags: new Set(), referred: new Set() }
  yield* objectText(pathTexts(making, routes, seen))
  yield ',"components":{"schemas":'
  const schemas: (readonly [string, string])[] = []
  for (const [name, schema] of making.schemas()) {
    schemas.push([name, JSON.stringify(schema)])
    yield ''
  }
  yield* objectText(schemas.sort(([one], [other]) => (one < other ? -1 : 1)))
  const others: Components = {
    parameters: {
      ...sharedParameters(making),
      ...making.parameters(),
      format: formatParameter(view.format),
    },
    responses,
    headers: {
      ETag: { description: 'To ask again with, or to change what was read', schema: text },
    },
  }
  for (const [kind, all] of Object.entries(others)) {
    // Leave out components that nothing refers to.
    const kept = Object.entries(all).filter(([name]) => seen.referred.has(`${kind}/${name}`))
    yield `,"${kind}":`
    yield* objectText(kept.map(([name, one]) => [name, JSON.stringify(one)]))
  }
  yield `,"securitySchemes":${JSON.stringify(securitySchemes(view.admin))}}`
  yield `,"tags":${JSON.stringify([...seen.tags].map((name) => ({ name })))}}`
}

/** Names that the operations use: tags, and components such as `parameters/ArticleSort`. */
type Seen = Readonly<{ tags: Set<string>; referred: Set<string> }>

/** Yields the operations by path. Built-in operations override content operations. */
function* pathTexts(
  making: Making,
  routes: readonly Route[],
  { tags, referred }: Seen,
): Generator<readonly [string, string]> {
  const own = ownPaths(making, routes)
  const described = function* (paths: Paths) {
    for (const [path, methods] of Object.entries(paths)) {
      const text = JSON.stringify(methods)
      for (const [name] of text.matchAll(/(?<=#\/components\/)[^"]+/g)) referred.add(name)
      for (const operation of Object.values(methods))
        for (const tag of operation.tags as readonly string[]) tags.add(tag)
      yield [path, text] as const
    }
  }
  for (const paths of contentPaths(making)) {
    const others = Object.entries(paths).filter(([path]) => !Object.hasOwn(own, path))
    yield* described(Object.fromEntries(others))
  }
  yield* described(own)
}

/** Yields an object whose members are JSON already. */
function* objectText(members: Iterable<readonly [name: string, json: string]>): Generator<string> {
  let before = '{'
  for (const [name, json] of members) {
    yield `${before}${JSON.stringify(name)}:${json}`
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const about = `The content of this service, and what else its caller may call: what they may not call is not in here.

Nested parameters are written with brackets, \`filters[author][name][$eqi]=ana\`, of which OpenAPI knows the first level alone: the schemas of \`filters\` and \`populate\` hold for all of them, whatever text a number or a flag is sent as.`

const pagination: JsonSchema = {
  description: 'The page, in the way it was asked for; without `withCount` nothing is counted',
  anyOf: [
    members({ page: count, pageSize: count }, { pageCount: count, total: count }),
    members({ start: count, limit: count }, { total: count }),
  ],
}

const explained: JsonSchema = {
  description: 'How a query is executed',
  ...members({ data: { ...object, required: ['lane', 'cost'] }, meta: object }),
}

const notModified: JsonSchema = { description: 'Nothing changed since the answer that was named' }

const formatParameter = (format: 'flat' | 'v4'): JsonSchema => ({
  name: 'Strapi-Response-Format',
  in: 'header',
  description:
    format === 'v4'
      ? 'The form of answers that this document tells of'
      : '`v4`: answers in the older form, of which this document tells where it is asked for with the header; any other value is passed over',
  schema: format === 'v4' ? { enum: ['v4'] } : text,
  required: format === 'v4' ? true : undefined,
})

const securitySchemes = (admin: boolean) => ({
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a user' },
  admin: admin ? { type: 'http', scheme: 'bearer', description: 'The JWT of an admin' } : undefined,
})
