import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a final slash. Does not use the `Host` header, because a sender could
 * then choose where the links with codes in mails lead.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
