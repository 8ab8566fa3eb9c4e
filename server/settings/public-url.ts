import type { Settings } from './settings.js'

/**
 * Returns the service's public address, without a slash at the end. Never uses the `Host` header of a request: its
 * sender could then make the links in mails, which contain codes, lead to any server.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
