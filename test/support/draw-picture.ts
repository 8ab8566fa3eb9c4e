import { createHash } from 'node:crypto'
import sharp from 'sharp'

const blockSize = 4

/** Returns a PNG of coloured blocks. The same name gives the same picture. */
export function drawPicture(name: string, width: number, height: number): Promise<Buffer> {
  const colors = createHash('sha256').update(name).digest()
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    const column = Math.floor((at % width) / blockSize)
    const row = Math.floor(at / width / blockSize)
    const color = (column * 7 + row * 13) % (colors.length - 2)
    colors.copy(pixels, at * 3, color, color + 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
