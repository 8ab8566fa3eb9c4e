import type { JsonSchema, JsonSchemas } from '../http/documented.js'
import { members, object, text } from '../http/routes/json-schemas.js'
import type { Route } from '../http/route.js'
import { count } from './closed-object.js'
import { contentPaths, type Paths } from './content-operations.js'
import { errorResponses } from './error-responses.js'
import { createDocumentBuilder, type DocumentBuilder, type Subject } from './document-builder.js'
import { ownPaths } from './own-operations.js'
import { sharedParameters } from './parameters.js'

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Readonly<{
  openapi: '3.1.1'
  paths: Readonly<Record<string, JsonSchemas>>
  components: Components
}> &
  JsonSchema

type Components = Readonly<Record<string, JsonSchemas>>

/**
 * Yields the text of an `OpenApiDocument` with all operations that the caller may use (docs/openapi.md). Equal subjects
 * yield equal documents.
 *
 * Yields the text in pieces, such as a schema or the operations of a type. Each is created on request, so the consumer
 * can pause between pieces. An empty piece only allows a pause. Only pieces about files and polymorphic relations grow
 * with the number of types.
 */
export function* makeDocument(subject: Subject, routes: readonly Route[]): Generator<string> {
  const making = createDocumentBuilder(subject)
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
      ETag: {
        description: 'Version of the response, for `If-None-Match` and `If-Match`',
        schema: text,
      },
    },
  }
  for (const [kind, all] of Object.entries(others)) {
    // Leave out components that no operation refers to.
    const kept = Object.entries(all).filter(([name]) => seen.referred.has(`${kind}/${name}`))
    yield `,"${kind}":`
    yield* objectText(kept.map(([name, one]) => [name, JSON.stringify(one)]))
  }
  yield `,"securitySchemes":${JSON.stringify(securitySchemes(view.admin))}}`
  yield `,"tags":${JSON.stringify([...seen.tags].map((name) => ({ name })))}}`
}

/** What operations refer to: tags, and components such as `parameters/ArticleSort`. */
type Seen = Readonly<{ tags: Set<string>; referred: Set<string> }>

/** Yields paths with their operations. If a built-in route and a content-type share a path, only the route counts. */
function* pathTexts(
  making: DocumentBuilder,
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

/** Yields a JSON object from members whose values are JSON already. */
function* objectText(members: Iterable<readonly [name: string, json: string]>): Generator<string> {
  let before = '{'
  for (const [name, json] of members) {
    yield `${before}${JSON.stringify(name)}:${json}`
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const about = `The endpoints of this service that the caller has permission for. Other endpoints are not listed.

Nested parameters use brackets: \`filters[author][name][$eqi]=ana\`. OpenAPI can describe only the first level of brackets, so the schemas of \`filters\` and \`populate\` describe all levels. Numbers and flags are sent as text.`

const pagination: JsonSchema = {
  description: 'The page, in the form of the request. Without `withCount`, entries are not counted',
  anyOf: [
    members({ page: count, pageSize: count }, { pageCount: count, total: count }),
    members({ start: count, limit: count }, { total: count }),
  ],
}

const explained: JsonSchema = {
  description: 'The execution of a query',
  ...members({ data: { ...object, required: ['lane', 'cost'] }, meta: object }),
}

const notModified: JsonSchema = { description: 'Nothing has changed since the earlier response' }

const formatParameter = (format: 'flat' | 'v4'): JsonSchema => ({
  name: 'Strapi-Response-Format',
  in: 'header',
  description:
    format === 'v4'
      ? 'The form of responses that this document describes'
      : '`v4`: responses in the form of Strapi 4. To see it in this document, request the document with this header. Any other value is ignored',
  schema: format === 'v4' ? { enum: ['v4'] } : text,
  required: format === 'v4' ? true : undefined,
})

const securitySchemes = (admin: boolean) => ({
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a user' },
  admin: admin ? { type: 'http', scheme: 'bearer', description: 'The JWT of an admin' } : undefined,
})
