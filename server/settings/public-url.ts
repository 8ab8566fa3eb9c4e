import type { Settings } from './settings.js'

/**
 * Returns the service's address without a slash at the end. Not from the `Host` header, which the sender of a request
 * chooses: links with codes in mails lead there.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
