import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a slash at the end. Ignores the `Host` header, with which anyone could
 * change where the links with codes in mails lead.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
