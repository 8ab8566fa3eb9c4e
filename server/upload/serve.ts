import mime from 'mime-types'
import { isStoredName } from './file-name.js'

/** Where the files of the local provider are served. */
export const uploadsPath = '/uploads'

/** Types that a browser shows without running anything of them. */
const shown = /^(?:image\/(?!svg)|video\/|audio\/|application\/pdf$)/

/**
 * The headers with which a stored file is served; undefined where the name is not one of ours, which is a
 * 404. Everything that a browser might run is a download (docs/decisions.md, "Uploaded files"), and nothing
 * is guessed from its content.
 */
export function uploadHeaders(name: string): Readonly<Record<string, string>> | undefined {
  if (!isStoredName(name)) return undefined
  const type = mime.lookup(name) || 'application/octet-stream'
  const headers: Record<string, string> = {
    'Content-Type': mime.contentType(type) || type,
    'X-Content-Type-Options': 'nosniff',
    // Content that is replaced gets another name.
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Pages of other origins embed the pictures; that is what they are for.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (!shown.test(type)) headers['Content-Disposition'] = 'attachment'
  // Chrome's own viewer does not open a PDF in a sandbox.
  if (type !== 'application/pdf') headers['Content-Security-Policy'] = "default-src 'none'; sandbox"
  return headers
}
