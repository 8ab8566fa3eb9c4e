import mime from 'mime-types'
import { isStoredName } from './file-name.js'

/** Path under which Quire itself serves files. */
export const uploadsPath = '/uploads'

/** Types that a browser displays without running code. */
const shown = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/

/**
 * Returns the headers of a stored file. Returns undefined if Quire cannot have created the name; the response is a 404
 * then. Files that a browser could run are downloads (docs/decisions.md, "Uploaded files"), and content sniffing is
 * disabled.
 */
export function uploadHeaders(name: string): Readonly<Record<string, string>> | undefined {
  if (!isStoredName(name)) return undefined
  const type = mime.lookup(name) || 'application/octet-stream'
  const headers: Record<string, string> = {
    'Content-Type': mime.contentType(type) || type,
    'X-Content-Type-Options': 'nosniff',
    // Replaced content gets another name.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Pages of other origins embed the pictures.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (!shown.test(type)) headers['Content-Disposition'] = 'attachment'
  // Chrome's PDF viewer does not work in a sandbox.
  if (type !== 'application/pdf') headers['Content-Security-Policy'] = "default-src 'none'; sandbox"
  return headers
}
