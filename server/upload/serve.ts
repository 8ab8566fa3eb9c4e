import mime from 'mime-types'
import { isStoredName } from './file-name.js'

export const uploadsPath = '/uploads'

/** Types that a browser displays without running code. */
const shown = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/

/**
 * Returns the headers for a stored file. They make it a download if a browser could run it
 * (docs/internals/decisions.md, "Uploaded files"). Returns undefined for a name that is not Quire's.
 */
export function uploadHeaders(name: string): Readonly<Record<string, string>> | undefined {
  if (!isStoredName(name)) return undefined
  const type = mime.lookup(name) || 'application/octet-stream'
  const headers: Record<string, string> = {
    'Content-Type': mime.contentType(type) || type,
    'X-Content-Type-Options': 'nosniff',
    // Replaced content gets a new name, so caches may keep the file forever.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Pages of other origins may embed the file.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (!shown.test(type)) headers['Content-Disposition'] = 'attachment'
  // Chrome's PDF viewer does not work in a sandbox.
  if (type !== 'application/pdf') headers['Content-Security-Policy'] = "default-src 'none'; sandbox"
  return headers
}
