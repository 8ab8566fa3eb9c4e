import type { Asked } from './recorded-query.js'

/** Returns a function that makes queries of a type. */
export const of =
  (uid: string, may?: readonly string[]) =>
  (search: string): Asked => ({ of: uid, search, ...(may === undefined ? {} : { may }) })
export const work = of('work')
export const artist = of('artist')
export const room = of('room')
export const sign = of('sign')
/** Returns a query that shows only the title of works. */
export const titled = (search: string): Asked => work(`fields=title&${search}`)
