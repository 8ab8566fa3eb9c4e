import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import { fullGrant } from '../../engine/schema/grant.js'
import type { Registry } from '../../engine/schema/registry.js'
import { makeDocument, type OpenApiDocument } from '../../server/documentation/make-document.js'
import type { View } from '../../server/documentation/view.js'
import type { Quire } from '../../server/lifecycle/start.js'
import type { Answer, Send } from './request.js'

/** Creates a function like `send` that rejects if the response does not match the OpenAPI document of the service. */
export function checkedSender(send: Send, quire: Quire): Send {
  return async (method, path, options = {}) => {
    const isV4 = Object.entries(options.headers ?? {}).some(
      ([name, value]) => name.toLowerCase() === 'strapi-response-format' && value === 'v4',
    )
    const format = isV4 ? 'v4' : 'flat'
    const begun = quire.services.registry()
    const answer = await send(method, path, options)
    const ended = quire.services.registry()
    try {
      checkAnswer(describedBy(quire, ended, format), method, path, answer)
    } catch (error) {
      // If the definitions were replaced during the request, the response may match the document of the old or of the
      // new ones.
      if (begun === ended) throw error
      checkAnswer(describedBy(quire, begun, format), method, path, answer)
    }
    return answer
  }
}

/**
 * Throws unless the document describes the response. If the document does not contain the request, the response must be
 * an error.
 */
function checkAnswer(described: Described, method: string, path: string, answer: Answer): void {
  // The document does not contain OPTIONS requests, because all paths respond to them.
  if (method === 'OPTIONS') return
  const refuse = (what: string): never => {
    const shown = answer.text.slice(0, 2000)
    throw new Error(`${method} ${path} is answered with ${answer.status}, ${what}: ${shown}`)
  }
  const found = described.find(method === 'HEAD' ? 'GET' : method, path)
  if (found === undefined) {
    if (answer.status < 400) refuse('and is not in the document')
    const problem = method === 'HEAD' ? undefined : described.problemOfError(answer.body)
    if (problem !== undefined) refuse(problem)
    return
  }
  const response = found.responses[answer.status]
  if (response === undefined) return refuse('which the document does not declare')
  if (method === 'HEAD') return
  const problem = response.problemOf(answer)
  if (problem !== undefined) refuse(problem)
}

type Response = Readonly<{ problemOf: (answer: Answer) => string | undefined }>
type Operation = Readonly<{ responses: Readonly<Record<number, Response>> }>
type Described = Readonly<{
  find: (method: string, path: string) => Operation | undefined
  problemOfError: (body: unknown) => string | undefined
}>

/** Compiled documents by their text. Compiling is expensive, so services with equal documents share the result. */
const compiled = new LRUCache<string, Described>({ max: 8 })
const known = new WeakMap<Registry, Map<View['format'], Described>>()

function describedBy(quire: Quire, registry: Registry, format: View['format']): Described {
  const formats = known.get(registry) ?? new Map<View['format'], Described>()
  known.set(registry, formats)
  const before = formats.get(format)
  if (before !== undefined) return before
  const grant = fullGrant
  const view = { grant, admin: true, fullAccess: true, anonymous: false, format }
  const { settings } = quire.services
  const whole = [...makeDocument({ registry, settings, view }, quire.routes)].join('')
  const document = JSON.parse(whole) as OpenApiDocument
  const text = JSON.stringify({ ...document, info: {} })
  const described = compiled.get(text) ?? describe(document)
  compiled.set(text, described)
  formats.set(format, described)
  return described
}

/** Compiles a document. The validator of each response is compiled when it is first needed. */
function describe(document: OpenApiDocument): Described {
  // The document itself is not validated here, because another test does that.
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const problemAt = (pointer: string, value: unknown): string | undefined => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    validators.set(pointer, validate)
    if (validate(value) === true) return undefined
    return `which does not fit: ${ajv.errorsText(validate.errors?.slice(0, 5))}`
  }
  const paths = Object.entries(document.paths)
    .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }))
    // If several paths match, one without parameters takes precedence over one with parameters.
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  return {
    find: (method, target) => {
      const path = decoded(target.split('?')[0] ?? '').replace(/(?<=.)\/$/, '')
      const found = paths.find(({ pattern }) => pattern.test(path))
      if (found?.methods[method.toLowerCase()] === undefined) return undefined
      const pointer = ['paths', found.path, method.toLowerCase(), 'responses']
      const operation = found.methods[method.toLowerCase()]
      const responses = operation?.['responses'] as Readonly<Record<string, { $ref?: string }>>
      return {
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            responseOf(document, response, [...pointer, status], problemAt),
          ]),
        ),
      }
    },
    problemOfError: (body) => problemAt('/components/schemas/Error', body),
  }
}

function responseOf(
  document: OpenApiDocument,
  response: Readonly<{ $ref?: string }>,
  place: readonly string[],
  problemAt: (pointer: string, value: unknown) => string | undefined,
): Response {
  const name = response.$ref?.split('/').at(-1)
  const at = name === undefined ? place : ['components', 'responses', name]
  const own = name === undefined ? response : document.components['responses']?.[name]
  const content = (own as { content?: Readonly<Record<string, object>> } | undefined)?.content
  return {
    problemOf: ({ text, body, headers }) => {
      if (content === undefined) return text === '' ? undefined : 'which is to have no content'
      const declared = Object.keys(content)
      const sent = headers.get('content-type') ?? ''
      const mediaType = declared.find((one) => one === '*/*' || sent.startsWith(one))
      if (mediaType === undefined) return `as ${sent}, not ${declared.join(' or ')}`
      if (mediaType !== 'application/json') return undefined
      return problemAt(pointerTo([...at, 'content', mediaType, 'schema']), body)
    },
  }
}

/** Returns a JSON pointer (RFC 6901), encoded for the fragment of a URI. */
const pointerTo = (place: readonly string[]): string =>
  place
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')

/** Returns a pattern for a path. It ignores case, as Express does. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.+*?()]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
