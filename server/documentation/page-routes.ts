import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fail } from '../../engine/errors.js'
import { unlessHeld } from '../http/response/conditional-reply.js'
import { reply, type HttpRequest, type Reply, type Route, type HeaderTexts } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'

/**
 * Routes of `/documentation`, an API reference that can also send requests. The page contains no data. It loads the
 * OpenAPI document with the reader's credentials. It may load files from, and send requests to, only this service.
 */
export const pageRoutes = (): readonly Route[] =>
  routesOf(
    { guard: 'open', tag: 'Documentation' },
    {
      'GET /documentation': {
        id: 'readReference',
        summary: 'Show the API reference in a browser',
        answers: { 200: { mediaType: 'text/html' }, 304: 'empty' },
        errors: [404],
        handle: (request) =>
          sent('page.html', 'text/html', request, { 'Content-Security-Policy': policy }),
      },
      'GET /documentation/assets/:name': {
        id: 'readReferenceAsset',
        summary: 'Get a file of the API reference page',
        answers: { 200: { mediaType: '*/*' }, 304: 'empty' },
        errors: [404],
        handle: (request) => {
          const { name = '' } = request.params
          const mediaType = Object.hasOwn(assets, name) ? assets[name] : undefined
          if (mediaType === undefined) throw fail('not-found')
          return sent(name, mediaType, request)
        },
      },
    },
  )

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css',
  'page.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

/** Allows `data:` URLs for images, because the page's icons are such URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type File = Readonly<{ bytes: Uint8Array; etag: string }>

/** Written by `scripts/copy-documentation-page.ts`. */
const folder = new URL('../../documentation-page/', import.meta.url)

/** Each file is read on its first request. */
const files = new Map<string, Promise<File>>()

function fileOf(name: string): Promise<File> {
  const known = files.get(name)
  if (known !== undefined) return known
  const file = readFile(new URL(name, folder)).then((bytes) => ({
    bytes,
    etag: `"${hash('sha1', bytes, 'base64url')}"`,
  }))
  files.set(name, file)
  file.catch(() => files.delete(name))
  return file
}

async function sent(
  name: string,
  mediaType: string,
  request: HttpRequest,
  more: HeaderTexts = {},
): Promise<Reply> {
  const { bytes, etag } = await fileOf(name)
  const caching = { ETag: etag, 'Cache-Control': 'public, no-cache' }
  const headers = { ...caching, ...more, 'Content-Type': `${mediaType}; charset=utf-8` }
  return unlessHeld(request, etag, caching) ?? reply(200, bytes, headers)
}
