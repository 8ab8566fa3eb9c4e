import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a slash at the end. Never uses the `Host` header of a request, because
 * the sender could then direct mailed codes to any address.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
