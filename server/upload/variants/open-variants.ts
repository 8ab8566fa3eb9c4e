import { parse } from 'node:path'
import { fail } from '../../../engine/errors.js'
import type { Services } from '../../services.js'
import { filesIn } from '../files-in.js'
import { createPictureSlots } from '../pictures/picture-slots.js'
import { uploadHeaders } from '../serve.js'
import type { ServingStep } from '../serve-route.js'
import { linkEnd } from '../signature.js'
import { parseVariant, writeVariant, type VariantQuery } from './parse-variant.js'
import { planVariant, type StoredPicture } from './plan-variant.js'
import {
  notAPicture,
  openVariantStore,
  type FileRecord,
  type VariantOf,
  type VariantParts,
} from './variant-store.js'

/**
 * Serves pictures in other sizes and formats (docs/internals/decisions.md, "Variants of pictures"). Must run after the
 * check of access. Throws if a setting is invalid.
 * @param key `UPLOAD_SIGNING_KEY`
 */
export async function openVariants(
  { db, registry, settings }: Services,
  key: string,
  parts: Pick<VariantParts, 'providers' | 'makePictures' | 'directory'>,
): Promise<ServingStep> {
  const entries = () => filesIn<FileRecord>(db, registry())
  const maxPixels = settings['upload.pictures.maxPixels']
  const slots = createPictureSlots({ parallel: settings['upload.pictures.parallel'] })
  await db.collection('_variants').createIndex({ of: 1 })
  const variants = openVariantStore({ ...parts, db, entries, slots, maxPixels })
  const listed = settings['upload.variants'].map(parseListed)
  const allowed = new Set(listed.map(writeVariant))
  const ignores = settings['api.rest.unknownKeys'] === 'ignore'
  return async ({ name, search, signal, ignored }, served) => {
    const query = search === '' ? undefined : parseVariant(search, ignores ? ignored : undefined)
    if (query === undefined) return served
    const isAllowed =
      allowed.has(writeVariant(query)) || linkEnd(key, name, search, new Date()) !== undefined
    if (!isAllowed) throw notAllowed([...allowed])
    const { name: hash, ext } = parse(name)
    const file = await entries().findOne({ hash, ext })
    const plan = (picture: StoredPicture) => planVariant(query, picture, maxPixels)
    const variant =
      file === null
        ? await variants.findKept(hash, plan)
        : await variants.find(asPicture(file), plan(asPicture(file)), signal)
    // Variants of a replaced picture are served until its content is removed.
    if (variant === undefined) throw fail('not-found')
    const cacheControl = served.headers['Cache-Control'] ?? 'no-store'
    // A crop depends on the focal point, whose changes should become visible soon.
    const isShort = query.fit === 'cover' && !cacheControl.startsWith('private')
    const headers = {
      ...uploadHeaders(variant.name),
      'Cache-Control': isShort ? 'public, max-age=300' : cacheControl,
    }
    return { status: 200, headers, content: variant.content }
  }
}

/** Returns the file as a picture. Throws `validation` if it cannot be drawn. */
function asPicture(file: FileRecord): VariantOf {
  const { width, height } = file
  if (width === null || height === null || !drawable.test(file.mime)) throw notAPicture()
  return { ...file, width, height }
}

const drawable = /^image\/(?:jpeg|png|apng|webp|gif|tiff|avif)$/

function parseListed(text: string): VariantQuery {
  try {
    const query = parseVariant(text)
    if (query !== undefined) return query
  } catch (cause) {
    throw new Error(`upload.variants: ${text}: ${(cause as Error).message}`, { cause })
  }
  throw new Error(`upload.variants: ${text}: it has no parameter of a size or format`)
}

function notAllowed(allowed: readonly string[]) {
  const which = allowed.length === 0 ? 'none' : allowed.map((text) => `"${text}"`).join(', ')
  return fail(
    'validation',
    `Only these are allowed without a signature (upload.variants): ${which}`,
    {
      path: null,
      source: 'query',
      allowed,
    },
  )
}
