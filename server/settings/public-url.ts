import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a slash at the end. It never uses the `Host` of a request, because the
 * sender could direct codes anywhere.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
