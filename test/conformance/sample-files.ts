import { crc32, deflateSync } from 'node:zlib'

type SampleFile = Readonly<{ type: string; content: () => Buffer }>

export const sampleFiles: Readonly<Record<string, SampleFile>> = {
  'big.png': { type: 'image/png', content: () => png(800, 600, [200, 40, 40]) },
  'mid.png': { type: 'image/png', content: () => png(300, 200, [40, 200, 40]) },
  'small.png': { type: 'image/png', content: () => png(64, 64, [40, 40, 200]) },
  'extra.png': { type: 'image/png', content: () => png(40, 30, [0, 0, 0]) },
  'note.txt': { type: 'text/plain', content: () => Buffer.from('hello oracle\n') },
  'vector.svg': {
    type: 'image/svg+xml',
    content: () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
      ),
  },
  'fake.png': { type: 'image/png', content: () => Buffer.from('this is not a png') },
  'page.html': { type: 'text/html', content: () => Buffer.from('<!doctype html><p>hi</p>') },
}

/** Returns a PNG whose red increases from left to right. */
function png(width: number, height: number, [r, g, b]: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) row.set([(r + x) & 255, g, b], 1 + x * 3)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(content.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(content, 4)
  frame.writeUInt32BE(crc32(content), content.length + 4)
  return frame
}
