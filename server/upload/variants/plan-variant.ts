import { fail } from '../../../engine/errors.js'
import { sizeOf, type VariantOrder } from '../pictures/picture-job.js'
import type { PictureFormat } from '../pictures/type-of-format.js'
import { refusal, type VariantQuery } from './parse-variant.js'

/** Width and height are in pixels, when upright. */
export type StoredPicture = Readonly<{
  width: number
  height: number
  mime: string
  /** The point to keep when cropping, in percent of width and height; default: the centre. */
  focalPoint?: Readonly<{ x: number; y: number }> | null | undefined
}>

type Size = Readonly<{ width: number; height: number }>

/** AVIF's encoder needs 40 bytes of memory per pixel. */
const maxAvifPixels = 4_194_304

/**
 * Plans how to draw a variant (docs/internals/decisions.md, "Variants of pictures"), without enlarging the picture, and
 * within `maxPixels`. Throws `validation` and `limit-exceeded`.
 */
export function planVariant(
  query: VariantQuery,
  picture: StoredPicture,
  maxPixels: number,
): VariantOrder {
  const format = query.format ?? formats[picture.mime] ?? 'png'
  const { quality } = query
  if (format === 'png' && quality !== undefined)
    throw refusal('quality', 'quality cannot be used with png')
  const order = { is: 'variant', format, quality, ...planSize(query, picture) } as const
  const { width, height } = sizeOf(order)
  if (format === 'avif' && width * height > maxAvifPixels)
    throw refusal('format', `avif has at most ${maxAvifPixels} pixels`)
  if (width * height > maxPixels) throw tooManyPixels(width * height, maxPixels)
  return order
}

/** Returns the 400 error for more pixels than `upload.pictures.maxPixels`. */
export const tooManyPixels = (pixels: number, limit: number) =>
  fail('limit-exceeded', {
    what: `The number of pixels (${pixels})`,
    bound: 'upload.pictures.maxPixels',
    limit,
  })

/**
 * Default formats by MIME type. TIFF becomes JPEG, because browsers cannot display it. Other types become PNG, which is
 * lossless.
 */
const formats: Readonly<Record<string, PictureFormat>> = {
  'image/jpeg': 'jpeg',
  'image/tiff': 'jpeg',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

function planSize(
  { width, height, fit }: VariantQuery,
  picture: StoredPicture,
): Pick<VariantOrder, 'size' | 'crop' | 'pad'> {
  const [byWidth, byHeight] = [
    (width ?? Infinity) / picture.width,
    (height ?? Infinity) / picture.height,
  ]
  if (width === undefined || height === undefined || fit === 'inside')
    return { size: scale(picture, Math.min(byWidth, byHeight)) }
  switch (fit) {
    case 'outside':
      return { size: scale(picture, Math.max(byWidth, byHeight)) }
    case 'fill':
      return {
        size: {
          width: Math.min(width, picture.width),
          height: Math.min(height, picture.height),
        },
      }
    case 'contain': {
      const size = scale(picture, Math.min(byWidth, byHeight))
      const [left, top] = [half(width - size.width), half(height - size.height)]
      const right = width - size.width - left
      const bottom = height - size.height - top
      return { size, pad: { left, top, right, bottom } }
    }
    default:
      return cover({ width, height }, picture)
  }
}

function cover(requested: Size, picture: StoredPicture): Pick<VariantOrder, 'size' | 'crop'> {
  const box = scale(
    requested,
    Math.min(picture.width / requested.width, picture.height / requested.height),
  )
  const covering = Math.max(box.width / picture.width, box.height / picture.height)
  const scaled = scale(picture, covering)
  const size = {
    width: Math.max(box.width, scaled.width),
    height: Math.max(box.height, scaled.height),
  }
  const { x, y } = picture.focalPoint ?? { x: 50, y: 50 }
  const left = place(x, size.width, box.width)
  const top = place(y, size.height, box.height)
  return { size, crop: { left, top, ...box } }
}

/** Returns where to start a part that is centred at `percent` of a length, or as near as possible. */
const place = (percent: number, length: number, part: number): number =>
  Math.min(length - part, Math.max(0, Math.round((percent / 100) * length - part / 2)))

/** Scales a size down, never up, and to at least one pixel. */
function scale({ width, height }: Size, factor: number): Size {
  const by = Math.min(1, factor)
  return {
    width: Math.max(1, Math.round(width * by)),
    height: Math.max(1, Math.round(height * by)),
  }
}

const half = (length: number): number => Math.floor(length / 2)
