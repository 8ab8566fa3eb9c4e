import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

type Version = Readonly<{ width: number; height: number; url: string; sizeInBytes: number }>
type File = Version &
  Readonly<{ id: number; hash: string; formats: Record<string, Version> | null }>

/** Returns a picture that compresses badly, so that smaller versions are also smaller in bytes. */
const noise = (width: number, height: number): Sharp => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 7919) % 251
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const animation = (width: number, height: number, frames: number): Promise<Buffer> => {
  const pixels = Buffer.alloc(width * height * frames * 3)
  const frame = width * height * 3
  for (let n = 0; n < frames; n += 1) pixels.fill(40 * n, n * frame, (n + 1) * frame)
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const
  return sharp(pixels, { raw }).gif().toBuffer()
}

describe('uploaded pictures', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'upload.pictures.maxPixels': 4_000_000 } })
  })
  after(() => app.stop())

  const send = async (content: Buffer, name = 'photo.jpg', query = '', to = app) => {
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(content)]), name)
    return to.request('POST', `/api/upload${query}`, { token: to.token, body: form })
  }
  const upload = async (content: Buffer, name?: string, to = app): Promise<File> => {
    const { status, text, body } = await send(content, name, '', to)
    expect(status, text).to.equal(201)
    return (body as [File])[0]
  }
  const load = async ({ url }: Version, from = app): Promise<Buffer> => {
    const response = await fetch(`${from.url}${url}`)
    expect(response.status).to.equal(200)
    return Buffer.from(await response.arrayBuffer())
  }
  const sizes = (formats: File['formats']) =>
    Object.entries(formats ?? {}).map(([name, { width, height }]) => [name, width, height])
  const stored = (of = app) => storedNames(of.dataDir)

  it('get smaller versions that keep the aspect ratio, only in sizes below their own', async () => {
    for (const [width, height, expected] of [
      [
        1200,
        900,
        [
          ['thumbnail', 208, 156],
          ['large', 1000, 750],
          ['medium', 750, 563],
          ['small', 500, 375],
        ],
      ],
      [
        300,
        1001,
        [
          ['thumbnail', 47, 156],
          ['large', 300, 1000],
          ['medium', 225, 750],
          ['small', 150, 500],
        ],
      ],
      [500, 100, [['thumbnail', 245, 49]]],
      [246, 10, [['thumbnail', 245, 10]]],
      [245, 156, []],
    ] as const) {
      const file = await upload(await noise(width, height).jpeg().toBuffer())
      expect([file.width, file.height, sizes(file.formats)]).to.deep.equal([
        width,
        height,
        expected,
      ])
    }
  })

  it('get smaller versions that match their description, each stored next to the picture', async () => {
    const file = await upload(await noise(600, 400).png().toBuffer(), 'my photo.png')
    const { thumbnail, small } = file.formats ?? {}
    expect(small).to.deep.equal({
      name: 'small_my photo.png',
      hash: `small_${file.hash}`,
      ...{ ext: '.png', mime: 'image/png', path: null, width: 500, height: 333 },
      size: Math.round((small?.sizeInBytes ?? 0) / 10) / 100,
      sizeInBytes: small?.sizeInBytes,
      url: `/uploads/small_${file.hash}.png`,
    })
    for (const version of [thumbnail, small] as Version[]) {
      const content = await load(version)
      expect(content.length).to.equal(version.sizeInBytes)
      const { format, width, height } = await sharp(content).metadata()
      expect([format, width, height]).to.deep.equal(['png', version.width, version.height])
    }
  })

  it('have formats null if they are small, but an empty object if they replace a file', async () => {
    const content = await noise(20, 10).webp().toBuffer()
    const file = await upload(content, 'tiny.webp')
    expect(file.formats).to.equal(null)
    const { body } = await send(content, 'other.webp', `?id=${file.id}`)
    expect((body as File).formats).to.deep.equal({})
  })

  it('are rotated upright and lose their EXIF data', async () => {
    const exif = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const sideways = noise(400, 300).jpeg().withExif(exif).withMetadata({ orientation: 6 })
    const content = await sideways.toBuffer()
    expect((await sharp(content).metadata()).exif).to.be.instanceOf(Buffer)
    const file = await upload(content)
    expect([file.width, file.height, sizes(file.formats)]).to.deep.equal([
      ...[300, 400],
      [['thumbnail', 117, 156]],
    ])
    for (const version of [file, file.formats?.['thumbnail'] as Version]) {
      const { width, height, orientation, exif } = await sharp(await load(version)).metadata()
      expect([width, height, orientation, exif]).to.deep.equal([
        ...[version.width, version.height],
        ...[undefined, undefined],
      ])
    }
  })

  it('keep full color and get the same sizes in every encoding if they are large', async () => {
    const large = () => noise(2000, 1100)
    const sideways = noise(1100, 2000).jpeg().withMetadata({ orientation: 6 })
    for (const [name, picture, expected] of [
      ['large.png', large().png(), ['png', false]],
      ['large.jpg', large().jpeg({ progressive: true }), ['jpeg', false]],
      ['large.webp', large().webp({ effort: 0 }), ['webp', false]],
      ['lying.jpg', sideways, ['jpeg', false]],
    ] as const) {
      const file = await upload(await picture.toBuffer(), name)
      expect([file.width, file.height, sizes(file.formats)], name).to.deep.equal([
        ...[2000, 1100],
        [
          ['thumbnail', 245, 135],
          ['large', 1000, 550],
          ['medium', 750, 413],
          ['small', 500, 275],
        ],
      ])
      const { format, isPalette } = await sharp(await load(file)).metadata()
      expect([format, isPalette], name).to.deep.equal(expected)
    }
  })

  it('stay unchanged if they are animated, and their smaller versions are animated too', async () => {
    const content = await animation(300, 200, 3)
    const file = await upload(content, 'wave.gif')
    expect([file.width, file.height]).to.deep.equal([300, 200])
    expect((await load(file)).equals(content)).to.equal(true)
    expect(sizes(file.formats)).to.deep.equal([['thumbnail', 234, 156]])
    const thumbnail = await load(file.formats?.['thumbnail'] as Version)
    expect((await sharp(thumbnail, { animated: true }).metadata()).pages).to.equal(3)
  })

  it('stay unchanged and get no smaller versions if they are AVIF', async () => {
    const content = await noise(300, 200).avif({ effort: 0 }).toBuffer()
    const file = await upload(content, 'new.avif')
    expect([file.width, file.height, file.formats]).to.deep.equal([300, 200, null])
    expect((await load(file)).equals(content)).to.equal(true)
  })

  it('are rejected if they are truncated, and nothing is stored', async () => {
    const whole = await noise(800, 600).jpeg().toBuffer()
    const before = await stored()
    for (const [content, name] of [
      [whole.subarray(0, whole.length / 2), 'half.jpg'],
      [(await noise(300, 200).png().toBuffer()).subarray(0, 500), 'half.png'],
    ] as const) {
      const { status, body } = await send(content, name)
      expect([status, body], name).to.deep.equal([
        400,
        errorBody(400, 'ApplicationError', 'File is not a valid image', {}),
      ])
    }
    expect(await stored()).to.deep.equal(before)
  })

  it('are rejected before decoding if they exceed upload.pictures.maxPixels, counting all frames', async () => {
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
    const message = (pixels: number) =>
      `The number of pixels (${pixels}) exceeds the limit of 4000000 (upload.pictures.maxPixels)`
    const bomb = await send(await flat(10_000, 10_000), 'bomb.png')
    expect(bomb.body).to.deep.equal(errorBody(400, 'ValidationError', message(100_000_000), {}))
    const frames = await send(await animation(1000, 1000, 5), 'bomb.gif')
    expect(frames.body).to.deep.equal(errorBody(400, 'ValidationError', message(5_000_000), {}))
    expect((await send(await flat(2000, 2000), 'large.png')).status).to.equal(201)
  })

  it('are stored as plain files if only their first bytes look like a picture', async () => {
    const content = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 'x')])
    const file = await upload(content, 'not.gif')
    expect([file.width, file.height, file.formats]).to.deep.equal([null, null, null])
    expect((await load(file)).equals(content)).to.equal(true)
  })

  it('are deleted with all versions, but kept for a while after a replacement', async () => {
    const before = await stored()
    const file = await upload(await noise(600, 400).jpeg().toBuffer())
    const first = await stored()
    expect(first).to.have.length(before.length + 3)
    await send(await noise(300, 200).jpeg().toBuffer(), 'next.jpg', `?id=${file.id}`)
    expect(await stored()).to.have.length(before.length + 5)
    await app.request('DELETE', `/api/upload/files/${file.id}`, { token: app.token })
    expect(await stored()).to.deep.equal(first)
  })

  it('have their formats wherever they are populated', async () => {
    const file = await upload(await noise(300, 200).jpeg().toBuffer())
    const data = { name: 'Cleo', avatar: file.id }
    const { token } = app
    const { status, body } = await app.request('POST', '/api/authors?populate=avatar', {
      ...{ token, body: { data } },
    })
    expect(status).to.equal(201)
    const shown = (body as { data: { avatar: File } }).data.avatar
    expect(shown.formats).to.deep.equal(file.formats)
  })

  describe('with upload.formats=webp,avif', () => {
    let other: TestApp
    before(async () => {
      other = await startApp({ settings: { 'upload.formats': ['webp', 'avif'] } })
    })
    after(() => other.stop())

    it('get each smaller version in these formats too, deleted with the picture', async () => {
      const file = await upload(await noise(600, 400).jpeg().toBuffer(), 'photo.jpg', other)
      expect(sizes(file.formats)).to.deep.equal([
        ...[
          ['thumbnail', 234, 156],
          ['small', 500, 333],
        ],
        ...[
          ['thumbnail_webp', 234, 156],
          ['small_webp', 500, 333],
        ],
        ...[
          ['thumbnail_avif', 234, 156],
          ['small_avif', 500, 333],
        ],
      ])
      const { small_avif: version } = file.formats ?? {}
      expect(version).to.deep.equal({
        name: 'small_avif_photo.jpg',
        hash: `small_avif_${file.hash}`,
        ...{ ext: '.avif', mime: 'image/avif', path: null, width: 500, height: 333 },
        size: Math.round((version?.sizeInBytes ?? 0) / 10) / 100,
        sizeInBytes: version?.sizeInBytes,
        url: `/uploads/small_avif_${file.hash}.avif`,
      })
      for (const [name, expected] of [
        ['thumbnail_webp', 'webp'],
        ['small_avif', 'heif'],
      ] as const) {
        const content = await load(file.formats?.[name] as Version, other)
        const { format, width } = await sharp(content).metadata()
        expect([content.length, format, width]).to.deep.equal([
          ...[file.formats?.[name]?.sizeInBytes, expected, file.formats?.[name]?.width],
        ])
      }
      await other.request('DELETE', `/api/upload/files/${file.id}`, { token: other.token })
      expect(await stored(other)).to.deep.equal([])
    })

    it('are converted at their own size if they have no smaller version', async () => {
      const file = await upload(await noise(40, 30).png().toBuffer(), 'icon.png', other)
      expect(sizes(file.formats)).to.deep.equal([
        ['original_webp', 40, 30],
        ['original_avif', 40, 30],
      ])
    })

    it('get no version in their own format, and animations none in a still format', async () => {
      const webp = await upload(await noise(300, 200).webp().toBuffer(), 'a.webp', other)
      expect(Object.keys(webp.formats ?? {})).to.deep.equal(['thumbnail', 'thumbnail_avif'])
      const gif = await upload(await animation(300, 200, 3), 'wave.gif', other)
      expect(sizes(gif.formats)).to.deep.equal([
        ['thumbnail', 234, 156],
        ['thumbnail_webp', 234, 156],
      ])
      const thumbnail = await load(gif.formats?.['thumbnail_webp'] as Version, other)
      expect((await sharp(thumbnail, { animated: true }).metadata()).pages).to.equal(3)
    })
  })

  describe('with upload.optimize=false and other breakpoints', () => {
    let other: TestApp
    before(async () => {
      const settings = { 'upload.optimize': false, 'upload.breakpoints': ['hero=400'] }
      other = await startApp({ settings })
    })
    after(() => other.stop())

    it('are stored unchanged, with versions of the configured sizes', async () => {
      const content = await noise(600, 300).png().toBuffer()
      const file = await upload(content, 'raw.png', other)
      expect((await load(file, other)).equals(content)).to.equal(true)
      expect(sizes(file.formats)).to.deep.equal([
        ['thumbnail', 245, 123],
        ['hero', 400, 200],
      ])
    })

    it('are rejected if they are truncated, even small ones', async () => {
      const whole = await noise(100, 100).jpeg().toBuffer()
      const { status } = await send(whole.subarray(0, 2000), 'half.jpg', '', other)
      expect(status).to.equal(400)
    })
  })
})
