import type { JsonSchema } from '../http/documented.js'
import { loopTurns } from '../http/loop-turns.js'
import type { Route } from '../http/route.js'
import { contentPaths, type Paths } from './content-operations.js'
import { errorResponses } from './error-responses.js'
import { filterSchemaNames } from './filter-schemas.js'
import { beginMaking, type Named, type Subject } from './making.js'
import { ownPaths } from './own-operations.js'
import { sharedParameters } from './parameters.js'

/** An OpenAPI 3.1 document as plain data, to be written as JSON: members may be undefined. */
export type OpenApiDocument = Readonly<{
  openapi: '3.1.1'
  paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>
  components: Components
}> &
  JsonSchema

type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>

/**
 * Describes what a caller may call, with every parameter, body, answer and error: content by the registry, the
 * service's own endpoints by their routes (docs/openapi.md). Other requests are answered meanwhile.
 */
export async function makeDocument(
  subject: Subject,
  routes: readonly Route[],
): Promise<OpenApiDocument> {
  const making = beginMaking(subject, fixedNames)
  const { view, registry } = subject
  const turns = loopTurns(turnMs)
  making.named('Pagination', () => pagination)
  if (view.fullAccess) making.named('Explained', () => explained)
  const responses = { ...errorResponses(making), NotModified: notModified }
  const own = ownPaths(making, routes)
  const paths: Paths = {}
  for (const [path, methods] of contentPaths(making)) {
    if (!Object.hasOwn(own, path)) paths[path] = methods
    if (turns.isOver()) await turns.next()
  }
  Object.assign(paths, own)
  const schemas: Named[] = []
  for (const schema of making.schemas()) {
    schemas.push(schema)
    if (turns.isOver()) await turns.next()
  }
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
  const referred = new Set(JSON.stringify(paths).match(/(?<=#\/components\/)[^"]+/g))
  const tags = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation['tags'] as readonly string[]),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quire',
      version: String(registry.version),
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: view.anonymous ? [{}, { bearer: [] }] : [{ bearer: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1))),
      ...Object.fromEntries(
        Object.entries(others).map(([kind, all]) => [
          kind,
          Object.fromEntries(
            Object.entries(all).filter(([name]) => referred.has(`${kind}/${name}`)),
          ),
        ]),
      ),
      securitySchemes: securitySchemes(view.admin),
    },
    tags: [...new Set(tags)].map((name) => ({ name })),
  }
}

/** Milliseconds of a turn of the event loop. */
const turnMs = 5

const text: JsonSchema = { type: 'string' }
const count: JsonSchema = { type: 'integer', minimum: 0 }

const about = `The content of this service, and what else its caller may call: what they may not call is not in here.

Nested parameters are written with brackets, \`filters[author][name][$eqi]=ana\`, of which OpenAPI knows the first level alone: the schemas of \`filters\` and \`populate\` hold for all of them, whatever text a number or a flag is sent as.`

const pagination: JsonSchema = {
  description: 'The page, in the way it was asked for; without `withCount` nothing is counted',
  anyOf: [
    {
      type: 'object',
      required: ['page', 'pageSize'],
      properties: { page: count, pageSize: count, pageCount: count, total: count },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['start', 'limit'],
      properties: { start: count, limit: count, total: count },
      additionalProperties: false,
    },
  ],
}

const explained: JsonSchema = {
  description: 'How a query is executed',
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'object', required: ['lane', 'cost'] },
    meta: { type: 'object' },
  },
  additionalProperties: false,
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

const securitySchemes = (admin: boolean): Readonly<Record<string, JsonSchema>> => ({
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a user' },
  ...(admin
    ? { admin: { type: 'http', scheme: 'bearer', description: 'The JWT of an admin' } }
    : {}),
})

/** Schemas that are of no content-type. */
const fixedNames: ReadonlySet<string> = new Set([
  ...filterSchemaNames,
  'Error',
  'Pagination',
  'Groups',
  'Explained',
  'Count',
  'Creator',
  'CreatorV4',
  'RelationInput',
  'PolymorphicInput',
  'UploadedFile',
  'AdminFile',
  'Folder',
])
