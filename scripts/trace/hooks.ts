import type { LoadHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { markFunctions } from './mark-functions.js'

const built = fileURLToPath(new URL('../../', import.meta.url))
const traced = /^(?:engine|server|workers)\//

/** Loads the service's own files with their functions marked. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (!url.startsWith('file:') || loaded.source === undefined || loaded.source === null)
    return loaded
  const file = path.relative(built, fileURLToPath(url)).replaceAll(path.sep, '/')
  if (!traced.test(file)) return loaded
  const { source } = loaded
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
  return { ...loaded, source: markFunctions(text, file.replace(/\.js$/, '.ts')) }
}
