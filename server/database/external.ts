import type { DatabaseHost } from './host.js'

/** A MongoDB that others run: there is nothing to start and nothing to stop. */
export function externalHost(uri: string): DatabaseHost {
  return Object.freeze({ uri, embedded: false, stop: () => Promise.resolve() })
}
