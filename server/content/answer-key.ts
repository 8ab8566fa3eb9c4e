import type { ReadTarget } from '../../engine/read.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { LocaleSet } from '../services.js'
import type { ReadRequest } from './documents.js'

/** What a response depends on besides the request, the settings and the content. */
export type AnswerScope = Readonly<{
  registry: Registry
  locales: LocaleSet
  links: ReadTarget['links']
}>

/**
 * Returns the cache key of a response: everything that it depends on except the content. The query comes last, because
 * only it may contain any character.
 */
export function answerKey(
  { uid }: ContentType,
  of: ReadTarget['of'],
  request: ReadRequest,
  { registry, locales, links }: AnswerScope,
): string {
  const { grant, envelope, constants, format, parameters, defaultPopulate, status } = request
  // A publicly cacheable response also lists the documents that it shows, so it is cached under a key of its own.
  const audience = request.isForAnybody === true ? ' anybody' : ''
  const entry = typeof of === 'string' ? of : 'id' in of ? of.id : `"${of.documentId}"`
  const shown = `${envelope} ${format} ${parameters} ${defaultPopulate} ${status}${audience}`
  const more = constants === undefined ? '' : JSON.stringify(constants)
  // Links expire: all links that are signed within one time window have the same `expires`.
  const until = links === undefined ? '' : links.expires
  const scope = `${numberOf(registry)} ${textOf(locales)} ${uid} ${grant.key} ${shown} ${until}`
  return `${scope} ${more}\n${entry}\n${request.search}`
}

const numbers = new WeakMap<Registry, number>()
let lastNumber = 0

/**
 * Returns a number that identifies a registry in this process, because the meaning of a query depends on the registry.
 */
function numberOf(registry: Registry): number {
  const known = numbers.get(registry)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(registry, lastNumber)
  return lastNumber
}

const texts = new WeakMap<LocaleSet, string>()

function textOf(locales: LocaleSet): string {
  const known = texts.get(locales)
  if (known !== undefined) return known
  const { codes, chains } = locales
  const text = `${locales.default}:${[...codes].join()}:${JSON.stringify([...chains])}`
  texts.set(locales, text)
  return text
}
