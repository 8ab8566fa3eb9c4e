import type { ReadContext } from '../../engine/read.js'
import { readDefaultPopulate, type DefaultPopulate } from '../../engine/read/default-populate.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { LocaleSet } from '../services.js'
import type { Settings } from '../settings/settings.js'
import { settingsTable } from '../settings/settings.js'
import type { ReadRequest } from './documents.js'

/** Returns the limits of a query. */
export const limitsOf = (
  settings: Settings,
  parameters?: ReadRequest['parameters'],
): ReadContext['limits'] => ({
  maxArrayLength: settings['api.rest.maxArrayLength'],
  maxPopulateDepth: settings['api.rest.maxPopulateDepth'],
  deepPopulate: {
    default: settings['api.rest.deepPopulate.default'],
    max: settings['api.rest.deepPopulate.max'],
  },
  nestedPagination: settings['api.rest.nestedPagination'],
  unknownParameters: parameters === 'lenient' ? 'unchecked' : settings['api.rest.unknownKeys'],
})

/**
 * Reads `api.rest.defaultPopulate`, which applies to GETs without `populate`. Throws an Error that names the invalid
 * path.
 */
export const defaultPopulateOf = (
  settings: Settings,
  registry: Registry,
  locales: LocaleSet,
): DefaultPopulate =>
  readDefaultPopulate(settings['api.rest.defaultPopulate'], {
    registry,
    limits: limitsOf(settings),
    rules: rulesOf(settings, locales),
  })

type LiveDefinitions = Readonly<{
  registry: () => Registry
  registryOf: (type: ContentType) => Registry
  before: (read: (next: Registry) => void) => void
}>

/**
 * Returns a function that returns a type's default populate for GETs. Reads the setting for every registry in advance.
 * Throws if it does not fit the current one.
 */
export function liveDefaultPopulate(
  settings: Settings,
  { registry, registryOf, before }: LiveDefinitions,
  locales: () => LocaleSet,
): DefaultPopulate {
  const known = new WeakMap<Registry, DefaultPopulate>()
  const read = (of: Registry): void =>
    void known.set(of, defaultPopulateOf(settings, of, locales()))
  read(registry())
  before(read)
  return (type) => known.get(registryOf(type))?.(type)
}

/** Returns the rules for interpreting a query. */
export const rulesOf = (settings: Settings, locales: LocaleSet): ReadContext['rules'] => ({
  defaultLimit: settings['api.rest.defaultLimit'],
  maxLimit: settings['api.rest.maxLimit'],
  maxPopulateDepth: settings['api.rest.maxPopulateDepth'],
  maxPopulateNodes: settings['api.rest.maxPopulateNodes'],
  wrapFilteredRelations: settings['api.rest.wrapFilteredRelations'],
  nestedPagination: settings['api.rest.nestedPagination'],
  unknownKeys: settings['api.rest.unknownKeys'],
  deepPopulate: {
    creators: settings['api.rest.deepPopulate.creators'],
    // Limits deep population even if `api.rest.maxCost` is 0 (unlimited): a short parameter may expand to a very large
    // query.
    maxCost: settings['api.rest.maxCost'] || settingsTable['api.rest.maxCost'].default,
  },
  defaultLocale: locales.default,
  locales: locales.codes,
  chains: locales.chains,
  localeFallback: settings['api.rest.localeFallback'],
})
