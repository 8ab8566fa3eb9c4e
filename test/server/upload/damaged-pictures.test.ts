import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { errorBody } from '../../support/error-body.js'
import { collectLines } from '../../support/log-lines.js'
import type { Answer } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

type File = Readonly<{
  mime: string
  ext: string
  url: string
  width: number | null
  height: number | null
  formats: Readonly<Record<string, Readonly<{ url: string }>>> | null
}>

const noise = (width: number, height: number, frames = 1): Sharp => {
  const pixels = Buffer.alloc(width * height * frames * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 7919) % 251
  const shape = { width, height: height * frames, channels: 3 } as const
  return sharp(pixels, { raw: frames === 1 ? shape : { ...shape, pageHeight: height } })
}

const intact = {
  'still.jpg': () => noise(300, 200).jpeg(),
  'progressive.jpg': () => noise(300, 200).jpeg({ progressive: true }),
  'still.png': () => noise(300, 200).png(),
  'still.gif': () => noise(300, 200).gif(),
  'moving.gif': () => noise(300, 200, 3).gif(),
  'still.webp': () => noise(300, 200).webp(),
  'moving.webp': () => noise(300, 200, 3).webp(),
  'packed.tiff': () => noise(300, 200).tiff({ compression: 'lzw' }),
  'jpeg.tiff': () => noise(300, 200).tiff(),
  'still.avif': () => noise(300, 200).avif({ effort: 0 }),
}

/** Replaces the last tag of the first directory by an unknown one. Cameras write such TIFFs. */
function withUnknownTag(tiff: Buffer): Buffer {
  const copy = Buffer.from(tiff)
  const directory = copy.readUInt32LE(4)
  const last = directory + 2 + (copy.readUInt16LE(directory) - 1) * 12
  copy.writeUInt16LE(65_000, last)
  return copy
}

const pixelsOf = (body: unknown): string => {
  const { message } = (body as Readonly<{ error: Readonly<{ message: string }> }>).error
  return message.startsWith('The number of pixels (') ? message : ''
}

const isWarning = (line: string): boolean => (JSON.parse(line) as { level: number }).level >= 40

/** Returns a function that draws numbers from 0 to below `end`, the same in every run. */
function drawFrom(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * end)
  }
}

describe('uploaded pictures of every format', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ log })
  })
  after(() => app.stop())

  const send = (content: Buffer, name: string): Promise<Answer> => {
    const body = new FormData()
    body.append('files', new Blob([new Uint8Array(content)]), name)
    return app.request('POST', '/api/upload', { token: app.token, body })
  }
  const upload = async (content: Buffer, name: string): Promise<File> => {
    const { status, text, body } = await send(content, name)
    expect(status, `${name}: ${text}`).to.equal(201)
    return (body as readonly [File])[0]
  }
  const load = async ({ url }: Readonly<{ url: string }>) => {
    const answer = await fetch(app.url + url)
    expect(answer.status).to.equal(200)
    return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  /**
   * Uploads a picture, and checks that it is either rejected without leaving files behind, or stored unchanged as a
   * plain file.
   */
  const expectRejectedOrPlain = async (
    content: Buffer,
    name: string,
    what: string,
  ): Promise<void> => {
    const before = await storedNames(app.dataDir)
    const { status, body } = await send(content, name)
    if (status !== 201) {
      expect([status, body], what).to.deep.be.oneOf([
        [400, errorBody(400, 'ApplicationError', 'File is not a valid image', {})],
        // Flipped bits may have turned the width into a huge number.
        [400, errorBody(400, 'ValidationError', pixelsOf(body), {})],
      ])
      expect(await storedNames(app.dataDir), what).to.deep.equal(before)
      return
    }
    const [file] = body as readonly [File]
    if (file.width !== null) return
    expect([file.height, file.formats], what).to.deep.equal([null, null])
    expect((await load(file)).bytes.equals(content), what).to.equal(true)
  }

  it('stay TIFF if they are TIFF, and so do their smaller versions', async () => {
    const file = await upload(
      await noise(400, 300).tiff({ compression: 'lzw' }).toBuffer(),
      'a.tif',
    )
    expect(file).to.include({ mime: 'image/tiff', ext: '.tif', width: 400, height: 300 })
    expect(Object.keys(file.formats ?? {})).to.deep.equal(['thumbnail'])
    for (const [shown, width] of [
      [file, 400],
      [file.formats?.['thumbnail'] ?? file, 208],
    ] as const) {
      const { headers, bytes } = await load(shown)
      expect(headers.get('content-type')).to.equal('image/tiff')
      const found = await sharp(bytes).metadata()
      expect([found.format, found.width]).to.deep.equal(['tiff', width])
    }
  })

  it('are accepted as TIFF with other color spaces, bit depths and unknown tags', async () => {
    const plain = await noise(300, 200).tiff({ compression: 'lzw' }).toBuffer()
    for (const [name, content] of [
      ['tagged.tiff', withUnknownTag(plain)],
      ['cmyk.tiff', await noise(300, 200).toColourspace('cmyk').tiff().toBuffer()],
      ['deep.tiff', await noise(300, 200).toColourspace('rgb16').tiff().toBuffer()],
      ['bits.tiff', await noise(300, 200).tiff({ bitdepth: 1, compression: 'lzw' }).toBuffer()],
    ] as const) {
      const { width, formats } = await upload(content, name)
      expect([width, Object.keys(formats ?? {})], name).to.deep.equal([300, ['thumbnail']])
    }
  })

  it('are rejected if they are truncated, or stored as plain files if nothing can be read', async () => {
    for (const [name, draw] of Object.entries(intact)) {
      const whole = await draw().toBuffer()
      for (const share of [0.004, 0.05, 0.5, 0.99])
        await expectRejectedOrPlain(
          whole.subarray(0, Math.ceil(whole.length * share)),
          ...([name, `${name}, cut at ${share}`] as const),
        )
    }
  })

  it('are rejected or stored if bits are flipped, and no resize process crashes', async () => {
    const random = drawFrom(1)
    const linesBefore = lines.length
    for (const [name, draw] of Object.entries(intact)) {
      const whole = await draw().toBuffer()
      for (let turn = 0; turn < 16; turn += 1) {
        const changed = Buffer.from(whole)
        const end = turn % 2 === 0 ? Math.min(200, whole.length) : whole.length
        for (let flips = turn % 5; flips >= 0; flips -= 1) {
          const at = random(end)
          changed.writeUInt8(changed.readUInt8(at) ^ (1 << random(8)), at)
        }
        await expectRejectedOrPlain(changed, name, `${name}, change ${turn}`)
      }
    }
    const contents = app.quire.services.db.collection('_contents')
    expect(await contents.countDocuments()).to.equal(0)
    // A crash of a resize process would be logged as a warning.
    expect(lines.slice(linesBefore).filter(isWarning)).to.deep.equal([])
  })
})
