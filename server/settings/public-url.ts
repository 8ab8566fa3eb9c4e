import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a slash at the end. Never uses the `Host` header of a request.
 * Otherwise the sender of the request could choose the server that the links in mails lead to, and these links contain
 * codes.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
