import mime from 'mime-types'
import { isStoredName } from './file-name.js'

/** Path under which Quire itself serves files. */
export const uploadsPath = '/uploads'

/** Matches types that a browser displays without running code. */
const shown = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/

/**
 * Returns the response headers for a stored file; undefined for a name that Quire cannot have created, so that the
 * response is a 404. Files that a browser could run are sent as downloads (docs/internals/decisions.md, "Uploaded files").
 * Content sniffing is disabled.
 */
export function uploadHeaders(name: string): Readonly<Record<string, string>> | undefined {
  if (!isStoredName(name)) return undefined
  const type = mime.lookup(name) || 'application/octet-stream'
  const headers: Record<string, string> = {
    'Content-Type': mime.contentType(type) || type,
    'X-Content-Type-Options': 'nosniff',
    // Caches may keep the file forever, because replaced content gets a new name.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Pages of other origins may embed the file.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (!shown.test(type)) headers['Content-Disposition'] = 'attachment'
  // Chrome's PDF viewer does not work in a sandbox.
  if (type !== 'application/pdf') headers['Content-Security-Policy'] = "default-src 'none'; sandbox"
  return headers
}
