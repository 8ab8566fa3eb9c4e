import type { ReadTarget } from '../../engine/read.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { LocaleSet } from '../lifecycle/services.js'
import type { ReadRequest } from './documents.js'

/** What decides an answer beside the request itself, the settings and the content. */
export type AnswerScope = Readonly<{
  registry: Registry
  locales: LocaleSet
  links: ReadTarget['links']
}>

/**
 * Everything that decides an answer but the content, in one text: equal texts are answered by equal bytes as long as
 * nothing is written. The query stands last, because it is the only part that may hold anything.
 */
export function answerKey(
  { uid }: ContentType,
  of: ReadTarget['of'],
  request: ReadRequest,
  { registry, locales, links }: AnswerScope,
): string {
  const { grant, envelope, constants, format, parameters, defaultPopulate, status } = request
  // Those that anybody may keep say what they show.
  const audience = request.isForAnybody === true ? ' anybody' : ''
  const entry = typeof of === 'string' ? of : 'id' in of ? of.id : `"${of.documentId}"`
  const shown = `${envelope} ${format} ${parameters} ${defaultPopulate} ${status}${audience}`
  const more = constants === undefined ? '' : JSON.stringify(constants)
  // Links are all that changes with time: those of one window are the same.
  const until = links === undefined ? '' : links.expires
  const scope = `${numberOf(registry)} ${textOf(locales)} ${uid} ${grant.key} ${shown} ${until}`
  return `${scope} ${more}\n${entry}\n${request.search}`
}

const numbers = new WeakMap<Registry, number>()
let lastNumber = 0

/** One for each registry of this process: what a text means is found in it. */
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
