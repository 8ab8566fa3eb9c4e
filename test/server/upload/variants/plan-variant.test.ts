import { expect } from 'chai'
import fc from 'fast-check'
import { parseVariant } from '../../../../server/upload/variants/parse-variant.js'
import { planVariant } from '../../../../server/upload/variants/plan-variant.js'

const plan = (search: string, width: number, height: number, more: object = {}) => {
  const query = parseVariant(search)
  if (query === undefined) throw new Error('The query has no parameters')
  return planVariant(query, { width, height, mime: 'image/jpeg', ...more }, maxPixels)
}
const maxPixels = 4096 * 4096
const side = fc.integer({ min: 1, max: 4096 })
const percent = fc.integer({ min: 0, max: 100 })

describe('planVariant', () => {
  it('keeps the aspect ratio if one side is given', () => {
    const order = { is: 'variant', format: 'jpeg', quality: undefined }
    expect(plan('width=400', 1200, 900)).to.deep.equal({
      ...{ ...order, size: { width: 400, height: 300 } },
    })
    expect(plan('height=400&quality=50&format=webp', 1200, 900)).to.deep.equal({
      ...{ ...order, format: 'webp', quality: 50, size: { width: 533, height: 400 } },
    })
  })

  it('applies each fit', () => {
    for (const [fit, expected] of [
      ['inside', { size: { width: 400, height: 200 } }],
      ['outside', { size: { width: 800, height: 400 } }],
      ['fill', { size: { width: 400, height: 400 } }],
      [
        'contain',
        { size: { width: 400, height: 200 }, pad: { left: 0, top: 100, right: 0, bottom: 100 } },
      ],
      [
        'cover',
        { size: { width: 800, height: 400 }, crop: { left: 200, top: 0, width: 400, height: 400 } },
      ],
    ] as const)
      expect(plan(`width=400&height=400&fit=${fit}`, 2000, 1000), fit).to.deep.equal({
        ...{ is: 'variant', format: 'jpeg', quality: undefined, ...expected },
      })
  })

  it('crops around the focal point', () => {
    for (const [x, left] of [
      [0, 0],
      [10, 0],
      [40, 120],
      [100, 400],
    ] as const)
      expect(
        plan('width=400&height=400', 2000, 1000, { focalPoint: { x, y: 50 } }).crop?.left,
        `${x} %`,
      ).to.equal(left)
  })

  it('never enlarges the picture, and crops within it', () => {
    fc.assert(
      fc.property(
        fc.record({ width: side, height: side, w: side, h: side, x: percent, y: percent }),
        fc.constantFrom('cover', 'contain', 'fill', 'inside', 'outside'),
        ({ width, height, w, h, x, y }, fit) => {
          const search = `width=${w}&height=${h}&fit=${fit}`
          const { size, crop, pad } = plan(search, width, height, { focalPoint: { x, y } })
          expect(size.width).to.be.within(1, width)
          expect(size.height).to.be.within(1, height)
          if (crop !== undefined) {
            expect(crop.left).to.be.within(0, size.width - crop.width)
            expect(crop.top).to.be.within(0, size.height - crop.height)
            expect(crop.width).to.be.within(1, w)
            expect(crop.height).to.be.within(1, h)
          }
          if (pad !== undefined)
            expect([
              pad.left + size.width + pad.right,
              pad.top + size.height + pad.bottom,
            ]).to.deep.equal([w, h])
        },
      ),
    )
  })

  it('uses the format of the picture, or one that browsers support', () => {
    for (const [mime, format] of [
      ['image/jpeg', 'jpeg'],
      ['image/tiff', 'jpeg'],
      ['image/png', 'png'],
      ['image/gif', 'png'],
      ['image/webp', 'webp'],
      ['image/avif', 'avif'],
    ] as const)
      expect(plan('width=9', 9, 9, { mime }).format).to.equal(format)
  })

  it('rejects quality for a lossless format, and too many pixels for AVIF', () => {
    expect(() => plan('quality=50', 9, 9, { mime: 'image/png' })).to.throw(
      'quality cannot be used with png',
    )
    expect(() => plan('format=avif', 4000, 3000)).to.throw('avif has at most 4194304 pixels')
  })

  it('counts padding but not cropped parts towards the pixel limit', () => {
    const contain = 'width=4096&height=4096&fit=contain'
    expect(() => plan(`${contain}&format=avif`, 10, 10)).to.throw('avif has at most 4194304 pixels')
    expect(plan('width=100&height=100&format=avif', 10_000, 100).crop?.width).to.equal(100)
    const query = parseVariant(contain) ?? {}
    const small = { width: 10, height: 10, mime: 'image/jpeg' }
    expect(() => planVariant(query, small, maxPixels - 1)).to.throw(
      'The number of pixels (16777216) exceeds the limit of 16777215 (upload.pictures.maxPixels)',
    )
    expect(planVariant(query, small, maxPixels).size).to.deep.equal({ width: 10, height: 10 })
  })
})
