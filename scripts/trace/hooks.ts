import type { LoadHook } from 'node:module'
import { markFunctions } from './mark-functions.js'

const built = new URL('../../', import.meta.url).href
const traced = /^(?:engine|server|workers)\//

/** Instruments the functions of the service's own files when Node loads them. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  const file = url.slice(built.length)
  if (!url.startsWith(built) || !traced.test(file)) return loaded
  const text = await new Response(loaded.source as Buffer).text()
  return { ...loaded, source: markFunctions(text, file.replace(/\.js$/, '.ts')) }
}
