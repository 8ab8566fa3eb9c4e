import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bytesPerPixel = 3
/** Each byte as its difference from the pixel to the left, which is small in these pictures. */
const subFilter = 1

/** A PNG of 8-bit RGB pixels, row by row from the top. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filterRows(height, width * bytesPerPixel, pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function filterRows(height: number, stride: number, pixels: Uint8Array): Uint8Array {
  const rows = new Uint8Array(height * (stride + 1))
  for (let row = 0; row < height; row++) {
    const [from, to] = [row * stride, row * (stride + 1)]
    rows[to] = subFilter
    for (let at = 0; at < stride; at++) {
      const left = at < bytesPerPixel ? 0 : pixels[from + at - bytesPerPixel]!
      rows[to + 1 + at] = pixels[from + at]! - left
    }
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
