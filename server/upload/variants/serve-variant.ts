import { parse } from 'node:path'
import type { Collection } from 'mongodb'
import { fail } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { uploadHeaders } from '../serve.js'
import type { ServingStep } from '../serve-route.js'
import { checkLink } from '../signature.js'
import { parseVariant, writeVariant, type VariantQuery } from './parse-variant.js'
import { planVariant, type StoredPicture } from './plan-variant.js'
import { notAPicture, type FileRecord, type VariantOf, type VariantStore } from './variant-store.js'

type Parts = Readonly<{
  settings: Settings
  /** `UPLOAD_SIGNING_KEY`. */
  key: string
  entries: () => Collection<FileRecord>
  variants: VariantStore
}>

/**
 * The step that serves a picture in the size and format that the query string asks for (docs/decisions.md, "Variants of
 * pictures"). It stands behind the one that decides who may have the file. Throws for a setting that is wrong.
 */
export function serveVariant({ settings, key, entries, variants }: Parts): ServingStep {
  const listed = settings['upload.variants'].map(parseListed)
  const allowed = new Set(listed.map(writeVariant))
  const refuseOthers = (query: VariantQuery, name: string, search: string): void => {
    if (allowed.has(writeVariant(query))) return
    if (checkLink(key, name, search, new Date()).is === 'right') return
    throw notAllowed([...allowed])
  }
  const maxPixels = settings['upload.pictures.maxPixels']
  const ignores = settings['api.rest.unknownKeys'] === 'ignore'
  return async ({ name, search, signal, ignored }, served) => {
    const query = search === '' ? undefined : parseVariant(search, ignores ? ignored : undefined)
    if (query === undefined) return served
    refuseOthers(query, name, search)
    const { name: hash, ext } = parse(name)
    const file = await entries().findOne({ hash, ext })
    const plan = (picture: StoredPicture) => planVariant(query, picture, maxPixels)
    const variant =
      file === null
        ? await variants.findKept(hash, plan)
        : await variants.find(asPicture(file), plan(asPicture(file)), signal)
    // Of what was replaced, what was drawn before is there as long as itself.
    if (variant === undefined) throw fail('not-found')
    const headers = { ...uploadHeaders(variant.name), 'Cache-Control': cacheControl(served) }
    // Whoever changes the focal point wants to see it.
    if (query.fit === 'cover' && !isPrivate(served))
      headers['Cache-Control'] = 'public, max-age=300'
    return { status: 200, headers, content: variant.content }
  }
}

/** Throws `validation` where it is none that can be drawn. */
function asPicture(file: FileRecord): VariantOf {
  const { width, height } = file
  if (width === null || height === null || !drawable.test(file.mime)) throw notAPicture()
  return { ...file, width, height }
}

const drawable = /^image\/(?:jpeg|png|apng|webp|gif|tiff|avif)$/

type Served = Parameters<ServingStep>[1]
const cacheControl = ({ headers }: Served): string => headers['Cache-Control'] ?? 'no-store'
const isPrivate = (served: Served): boolean => cacheControl(served).startsWith('private')

function parseListed(text: string): VariantQuery {
  try {
    const query = parseVariant(text)
    if (query !== undefined) return query
  } catch (cause) {
    throw new Error(`upload.variants: ${text}: ${(cause as Error).message}`, { cause })
  }
  throw new Error(`upload.variants: ${text}: this asks for nothing`)
}

function notAllowed(allowed: readonly string[]) {
  const which = allowed.length === 0 ? 'none' : allowed.map((text) => `"${text}"`).join(', ')
  return fail(
    'validation',
    { message: `Without a signature these are allowed (upload.variants): ${which}` },
    { path: null, source: 'query', allowed },
  )
}
