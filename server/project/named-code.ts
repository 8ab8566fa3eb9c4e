import { isObject } from '../../engine/values/is-object.js'
import type { ConfigFile } from './read-config.js'

/** Plugins and middlewares that a project's `config/` names, each with the file that names it. */
export type NamedCode = Readonly<{
  plugins: readonly Readonly<{ name: string; file: string; enabled: boolean }>[]
  /** Global middlewares outside `src/middlewares`, for example in plugins. */
  middlewares: readonly Readonly<{ name: string; file: string }>[]
}>

export const noNamedCode: NamedCode = { plugins: [], middlewares: [] }

/**
 * Returns the plugins and middlewares that `config/plugins` and `config/middlewares` list. If several files list the
 * same name, the last file wins.
 */
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

/**
 * Returns the name of an entry in `config/middlewares`. Skips names such as `global::timing`, which the search in
 * `src/middlewares` finds, and `strapi::cors`, which belongs to Strapi.
 */
function nameOf(entry: unknown): readonly string[] {
  const named = isObject(entry) ? (entry.name ?? entry.resolve) : entry
  return typeof named === 'string' && !/^(strapi|global)::/.test(named) ? [named] : []
}
