import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fail } from '../../engine/errors.js'
import { holdsTag } from '../http/conditional-reply.js'
import type { Documented } from '../http/documented.js'
import { reply, type HttpRequest, type Reply, type Route } from '../http/route.js'

/**
 * `/documentation`: the API's reference in a browser, in which requests can be tried. There is nothing of this service
 * in it: it asks for the document, as its reader, who may be refused that. Nothing comes from elsewhere: the page may
 * run the scripts of this service and call it, and nothing else.
 */
export function pageRoutes(): readonly Route[] {
  const guard = { kind: 'open' } as const
  return [
    {
      method: 'GET',
      path: '/documentation',
      guard,
      documented: described('readReference', 'The reference of the API, for browsers', 'text/html'),
      handle: (request) =>
        sent('page.html', 'text/html', request, { 'Content-Security-Policy': policy }),
    },
    {
      method: 'GET',
      path: '/documentation/assets/:name',
      guard,
      documented: described('readReferenceAsset', 'What that page is made of', '*/*'),
      handle: (request) => {
        const { name = '' } = request.params
        const mediaType = Object.hasOwn(assets, name) ? assets[name] : undefined
        if (mediaType === undefined) throw fail('not-found')
        return sent(name, mediaType, request)
      },
    },
  ]
}

const described = (id: string, summary: string, mediaType: string): Documented => ({
  id,
  summary,
  tag: 'Documentation',
  answers: { 200: { mediaType }, 304: 'empty' },
  errors: [404],
})

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css',
  'page.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

/** Its icons are addresses with the picture in them. */
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

/** Where the build puts them (`scripts/copy-documentation-page.ts`). */
const folder = new URL('../../documentation-page/', import.meta.url)

/** Read when a browser first asks. */
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
  { headers }: HttpRequest,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { bytes, etag } = await fileOf(name)
  const caching = { ETag: etag, 'Cache-Control': 'public, no-cache' }
  return holdsTag(headers['if-none-match'], etag)
    ? reply(304, undefined, caching)
    : reply(200, bytes, { ...caching, ...more, 'Content-Type': `${mediaType}; charset=utf-8` })
}
