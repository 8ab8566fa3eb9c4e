import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a final slash. Does not use the `Host` header: with it, the sender of a
 * request could choose to which server the links in mails lead, and links contain codes.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
