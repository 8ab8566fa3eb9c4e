import { object, string, ValidationError } from 'yup'
import { fail } from '../../../engine/errors.js'
import { suggestionFor } from '../../../engine/errors/nearest-name.js'
import { expiresParameter, signatureParameter } from '../../../engine/values/link-signature.js'
import type { PictureFormat } from '../pictures/type-of-format.js'

/** As in sharp and CSS's `object-fit`. */
type Fit = 'cover' | 'contain' | 'fill' | 'inside' | 'outside'

/** The variant that a query string describes. */
export type VariantQuery = Readonly<Partial<NonNullable<ReturnType<typeof parseVariant>>>>

/** In pixels. */
const maxSide = 4096

const wholeNumber = (name: string, max: number) =>
  string().test({
    name,
    message: `${name} must be a whole number from 1 to ${max}`,
    test: (text) => text === undefined || (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= max),
  })
const oneOf = <T extends string>(name: string, words: readonly T[]) =>
  string().oneOf(words, `${name} must be one of: ${words.join(', ')}`)

const schema = object({
  width: wholeNumber('width', maxSide),
  height: wholeNumber('height', maxSide),
  fit: oneOf<Fit>('fit', ['cover', 'contain', 'fill', 'inside', 'outside']),
  format: oneOf<PictureFormat>('format', ['jpeg', 'png', 'webp', 'avif']),
  quality: wholeNumber('quality', 100),
})
const known = Object.keys(schema.fields)

/** Parameters of signed links do not describe variants. */
const ofLinks = new Set([expiresParameter, signatureParameter])

/**
 * Reads a variant from a query string without `?`; undefined if there is none. Throws `validation` for invalid values,
 * repeated parameters, and `fit` without width and height.
 */
export function parseVariant(search: string, onUnknown: (key: string) => void = refuseSlips) {
  const given = new Map<string, string>()
  for (const [key, value] of new URLSearchParams(search)) {
    if (ofLinks.has(key)) continue
    if (!known.includes(key)) onUnknown(key)
    else if (given.has(key)) throw refusal(key, `${key} may be given once`)
    else given.set(key, value)
  }
  if (given.size === 0) return undefined
  const { width, height, fit, format, quality } = validate(Object.fromEntries(given))
  if (fit !== undefined && (width === undefined || height === undefined))
    throw refusal('fit', 'fit needs width and height')
  return {
    /** In pixels. */
    width: numberOf(width),
    height: numberOf(height),
    /** Undefined unless both width and height are given. */
    fit: width === undefined || height === undefined ? undefined : (fit ?? 'cover'),
    format,
    quality: numberOf(quality),
  }
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** Returns the canonical form: `height=400&width=600` becomes `width=600&height=400&fit=cover`. */
export const writeVariant = (query: VariantQuery): string =>
  known
    .map((key) => [key, query[key as keyof VariantQuery]] as const)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')

/** Returns the 400 error about a query parameter. */
export const refusal = (param: string, message: string) =>
  fail('validation', message, { key: param, path: null, source: 'query', param })

/** Rejects probable typos only, because pages append `?v=2` to bypass caches. */
function refuseSlips(key: string): void {
  const near = suggestionFor(key, known)
  if (near.suggestion === undefined) return
  throw fail('invalid-key', { key }, { key, path: null, source: 'query', param: key, ...near })
}

function validate(given: unknown) {
  try {
    return schema.validateSync(given, { strict: true })
  } catch (error) {
    if (error instanceof ValidationError) throw refusal(error.path ?? '', error.message)
    throw error
  }
}
