import { isObject } from '../../engine/values/is-object.js'
import type { ConfigFile } from './read-config.js'

/** Code that a project's `config/` names, each with the file that does. */
export type NamedCode = Readonly<{
  plugins: readonly Readonly<{ name: string; file: string; enabled: boolean }>[]
  /** Global ones that stand in plugins or elsewhere than in `src/middlewares`. */
  middlewares: readonly Readonly<{ name: string; file: string }>[]
}>

export const noNamedCode: NamedCode = { plugins: [], middlewares: [] }

/** The plugins and middlewares that `config/plugins` and `config/middlewares` name; what counts more comes later. */
export function namedCode(files: readonly ConfigFile[]): NamedCode {
  const plugins = new Map<string, NamedCode['plugins'][number]>()
  const middlewares = new Map<string, NamedCode['middlewares'][number]>()
  for (const { name: of, file, value } of files) {
    if (of === 'plugins' && isObject(value))
      for (const [name, given] of Object.entries(value)) {
        const enabled = isObject(given) ? given.enabled !== false : given !== false
        plugins.set(name, { name, file, enabled })
      }
    if (of === 'middlewares' && Array.isArray(value))
      for (const name of value.flatMap(nameOf)) middlewares.set(name, { name, file })
  }
  return { plugins: [...plugins.values()], middlewares: [...middlewares.values()] }
}

/** `global::timing` stands in `src/middlewares`, where it is found; `strapi::cors` is Strapi's own. */
function nameOf(entry: unknown): readonly string[] {
  const named = isObject(entry) ? (entry.name ?? entry.resolve) : entry
  return typeof named === 'string' && !/^(strapi|global)::/.test(named) ? [named] : []
}
