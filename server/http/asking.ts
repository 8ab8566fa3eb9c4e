import type { HttpRequest } from './route.js'

/** What a read is told of the request that it is for, whichever feature answers it. */
export type Asking = Pick<HttpRequest, 'signal' | 'asker' | 'ignored' | 'timeline'> &
  Readonly<{
    /** Whether it came without credentials. */
    isForAnybody: boolean
  }>

export const askingOf = ({ signal, asker, ignored, timeline, headers }: HttpRequest): Asking => ({
  signal,
  asker,
  ignored,
  timeline,
  isForAnybody: headers.authorization === undefined,
})
