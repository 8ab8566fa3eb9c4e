import type { ReadContext } from '../../engine/read.js'
import { readDefaultPopulate, type DefaultPopulate } from '../../engine/read/default-populate.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { LocaleSet } from '../lifecycle/services.js'
import type { Settings } from '../settings/settings.js'
import { settingsTable } from '../settings/settings.js'
import type { DocumentsParts } from './documents-parts.js'
import type { ReadRequest } from './documents.js'

/** How much a query may say, by the settings. */
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
 * What GETs populate that name nothing, by the settings and the definitions.
 * @throws Error that names the place of a tree that cannot be understood
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

type LiveDefinitions = Required<Pick<DocumentsParts, 'registry' | 'registryOf'>> &
  Readonly<{ before: (read: (next: Registry) => void) => void }>

/**
 * What GETs populate that name nothing, by the definitions that the type is of. Throws where those of the start do not
 * allow it.
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

/** What a query may mean, by the settings and the locales that there are. */
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
    // Whatever a read may cost, what is made of a few words stays bounded.
    maxCost: settings['api.rest.maxCost'] || settingsTable['api.rest.maxCost'].default,
  },
  defaultLocale: locales.default,
  locales: locales.codes,
  chains: locales.chains,
  localeFallback: settings['api.rest.localeFallback'],
})
