import type { Asked } from './ask.js'

/** Who asks for entries of a type; `may`: the only actions that they are granted. */
export const of =
  (uid: string, may?: readonly string[]) =>
  (search: string): Asked => ({ of: uid, search, ...(may === undefined ? {} : { may }) })
export const work = of('work')
export const artist = of('artist')
export const room = of('room')
export const sign = of('sign')
/** Works of which the title alone is shown. */
export const titled = (search: string): Asked => work(`fields=title&${search}`)
