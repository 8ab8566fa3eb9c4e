import type { Settings } from './settings.js'

/**
 * Where clients reach the service, without a slash at the end. Never by the `Host` of a request: codes would go
 * wherever its sender says.
 */
export const publicUrl = (settings: Settings, port: number): string =>
  settings['http.publicUrl'].replace(/\/$/, '') || `http://localhost:${port}`
