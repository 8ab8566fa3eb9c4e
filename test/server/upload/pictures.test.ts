import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { errorBody } from '../../support/error-body.js'
import { startApp, type TestApp } from '../../support/start-app.js'
import { storedNames } from '../../support/stored-names.js'

type Version = Readonly<{ width: number; height: number; url: string; sizeInBytes: number }>
type File = Version &
  Readonly<{ id: number; hash: string; formats: Record<string, Version> | null }>

/** A picture that no encoder makes small, so that its versions are pictures of something. */
const noise = (width: number, height: number): Sharp => {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 7919) % 251
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** So many frames of one size, each of another grey. */
const moving = (width: number, height: number, frames: number): Promise<Buffer> => {
  const pixels = Buffer.alloc(width * height * frames * 3)
  const frame = width * height * 3
  for (let n = 0; n < frames; n += 1) pixels.fill(40 * n, n * frame, (n + 1) * frame)
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const
  return sharp(pixels, { raw }).gif().toBuffer()
}

describe('Pictures', () => {
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

  it('have versions that fit into boxes they are larger than, in their proportions', async () => {
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

  it('have versions that are what their members say, each stored beside the picture', async () => {
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

  it('have no formats where they are small, and empty ones where they replace a file', async () => {
    const content = await noise(20, 10).webp().toBuffer()
    const file = await upload(content, 'tiny.webp')
    expect(file.formats).to.equal(null)
    const { body } = await send(content, 'other.webp', `?id=${file.id}`)
    expect((body as File).formats).to.deep.equal({})
  })

  it('stand upright, and tell nothing of where they were taken', async () => {
    const exif = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const lying = noise(400, 300).jpeg().withExif(exif).withMetadata({ orientation: 6 })
    const content = await lying.toBuffer()
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

  it('that are large are stored in all their colours, and drawn alike however they were encoded', async () => {
    const large = () => noise(2000, 1100)
    const lying = noise(1100, 2000).jpeg().withMetadata({ orientation: 6 })
    for (const [name, picture, expected] of [
      ['large.png', large().png(), ['png', false]],
      ['large.jpg', large().jpeg({ progressive: true }), ['jpeg', false]],
      ['large.webp', large().webp({ effort: 0 }), ['webp', false]],
      ['lying.jpg', lying, ['jpeg', false]],
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

  it('that move are kept as they are, and so do their versions move', async () => {
    const content = await moving(300, 200, 3)
    const file = await upload(content, 'wave.gif')
    expect([file.width, file.height]).to.deep.equal([300, 200])
    expect((await load(file)).equals(content)).to.equal(true)
    expect(sizes(file.formats)).to.deep.equal([['thumbnail', 234, 156]])
    const thumbnail = await load(file.formats?.['thumbnail'] as Version)
    expect((await sharp(thumbnail, { animated: true }).metadata()).pages).to.equal(3)
  })

  it('as AVIF are kept as they are', async () => {
    const content = await noise(300, 200).avif({ effort: 0 }).toBuffer()
    const file = await upload(content, 'new.avif')
    expect([file.width, file.height, file.formats]).to.deep.equal([300, 200, null])
    expect((await load(file)).equals(content)).to.equal(true)
  })

  it('that are cut off are refused, and nothing of that request is stored', async () => {
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

  it('of more pixels than upload.pictures.maxPixels are refused before they are decoded', async () => {
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
    const message = (pixels: number) =>
      `The number of pixels (${pixels}) exceeds the limit of 4000000 (upload.pictures.maxPixels)`
    const bomb = await send(await flat(10_000, 10_000), 'bomb.png')
    expect(bomb.body).to.deep.equal(errorBody(400, 'ValidationError', message(100_000_000), {}))
    const frames = await send(await moving(1000, 1000, 5), 'bomb.gif')
    expect(frames.body).to.deep.equal(errorBody(400, 'ValidationError', message(5_000_000), {}))
    expect((await send(await flat(2000, 2000), 'large.png')).status).to.equal(201)
  })

  it('that only begin like one are files like any other', async () => {
    const content = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 'x')])
    const file = await upload(content, 'not.gif')
    expect([file.width, file.height, file.formats]).to.deep.equal([null, null, null])
    expect((await load(file)).equals(content)).to.equal(true)
  })

  it('go with all their versions when they are deleted, and stay a while when they are replaced', async () => {
    const before = await stored()
    const file = await upload(await noise(600, 400).jpeg().toBuffer())
    const first = await stored()
    expect(first).to.have.length(before.length + 3)
    await send(await noise(300, 200).jpeg().toBuffer(), 'next.jpg', `?id=${file.id}`)
    // What was replaced is served for a while.
    expect(await stored()).to.have.length(before.length + 5)
    await app.request('DELETE', `/api/upload/files/${file.id}`, { token: app.token })
    expect(await stored()).to.deep.equal(first)
  })

  it('are shown with their formats wherever they are populated', async () => {
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

    it('have each smaller version in these formats as well, stored beside the others', async () => {
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

    it('are themselves kept in them where they have no smaller version', async () => {
      const file = await upload(await noise(40, 30).png().toBuffer(), 'icon.png', other)
      expect(sizes(file.formats)).to.deep.equal([
        ['original_webp', 40, 30],
        ['original_avif', 40, 30],
      ])
    })

    it('have none in the format that they are in, and moving ones none that stands still', async () => {
      const webp = await upload(await noise(300, 200).webp().toBuffer(), 'a.webp', other)
      expect(Object.keys(webp.formats ?? {})).to.deep.equal(['thumbnail', 'thumbnail_avif'])
      const gif = await upload(await moving(300, 200, 3), 'wave.gif', other)
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

    it('are stored as they came, with versions of these sizes', async () => {
      const content = await noise(600, 300).png().toBuffer()
      const file = await upload(content, 'raw.png', other)
      expect((await load(file, other)).equals(content)).to.equal(true)
      expect(sizes(file.formats)).to.deep.equal([
        ['thumbnail', 245, 123],
        ['hero', 400, 200],
      ])
    })

    it('are refused where they are cut off, small ones too', async () => {
      const whole = await noise(100, 100).jpeg().toBuffer()
      const { status } = await send(whole.subarray(0, 2000), 'half.jpg', '', other)
      expect(status).to.equal(400)
    })
  })
})
