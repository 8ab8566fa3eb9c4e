import type { DefaultPopulate } from '../../engine/read/default-populate.js'
import type { Registry } from '../../engine/schema/registry.js'
import { defaultPopulateOf } from '../content/read-rules.js'
import type { SchemaStore } from '../content-types/store.js'
import type { Settings } from '../settings/settings.js'
import type { Services } from './services.js'

/**
 * What GETs populate that name nothing, by the definitions that the type is of. Throws where those of the start do not
 * allow it.
 */
export function liveDefaultPopulate(
  settings: Settings,
  { registry, registryOf, before }: Pick<SchemaStore, 'registry' | 'registryOf' | 'before'>,
  locales: Services['locales'],
): DefaultPopulate {
  const known = new WeakMap<Registry, DefaultPopulate>()
  const read = (of: Registry): void =>
    void known.set(of, defaultPopulateOf(settings, of, locales()))
  read(registry())
  before(read)
  return (type) => known.get(registryOf(type))?.(type)
}
