import sharp, { type Sharp } from 'sharp'

/** Returns a picture with smooth colours and noise, like a photo. */
export function photo(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  let noise = 1
  let at = 0
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0
      pixels[at++] = ((x / width) * 220 + ((noise >>> 26) & 3)) | 0
      pixels[at++] = ((y / height) * 220 + ((noise >>> 18) & 3)) | 0
      pixels[at++] = (((x + y) / (width + height)) * 220 + ((noise >>> 10) & 3)) | 0
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}
