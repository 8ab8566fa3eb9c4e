import { expect } from 'chai'
import fc from 'fast-check'
import { didYouMean, nearestName } from '../../../engine/errors/nearest-name.js'

describe('nearestName', () => {
  for (const [given, known, meant] of [
    ['titel', ['title', 'tile'], 'title'],
    ['TITLE', ['views', 'title'], 'title'],
    ['nam', ['name'], 'name'],
    ['naer', ['near', 'far'], 'near'],
    ['containsi', ['$contains', '$containsi'], '$containsi'],
    ['api::fra.fra', ['api::near.near', 'api::far.far'], 'api::far.far'],
    ['HTTP_REQUEST_TIMEOUT', ['HTTP_HOST', 'HTTP_REQUEST_TIMEOUT_MS'], 'HTTP_REQUEST_TIMEOUT_MS'],
    ['ab', ['xb', 'ba'], undefined],
    ['page', ['name'], undefined],
    ['explain', ['populate', 'explode'], undefined],
    ['publicationState', ['publicationFilter'], undefined],
    ['title', ['title', 'titles'], undefined],
    ['a'.repeat(65), ['a'.repeat(64)], undefined],
    ['title', [], undefined],
  ] as const)
    it(`returns ${meant ?? 'none'} for ${given} among ${known.join(', ') || 'none'}`, () => {
      expect(nearestName(given, known)).to.equal(meant)
      expect(didYouMean(given, known)).to.equal(
        meant === undefined ? '' : `; did you mean "${meant}"?`,
      )
    })

  it('finds a name of five or more letters despite one typo', () => {
    const name = fc.stringMatching(/^[a-z]{5,30}$/)
    const slip = fc.record({ at: fc.nat(), kind: fc.constantFrom('swap', 'drop', 'add', 'other') })
    fc.assert(
      fc.property(name, slip, (meant, { at: from, kind }) => {
        const at = from % (meant.length - 1)
        const before = meant.slice(0, at)
        const letter = meant.charAt(at)
        const next = meant.charAt(at + 1)
        const after = meant.slice(at + 2)
        const written = {
          swap: next + letter,
          drop: next,
          add: `${letter}-${next}`,
          other: `-${next}`,
        }
        const given = `${before}${written[kind]}${after}`
        expect(nearestName(given, ['', '0', meant])).to.equal(given === meant ? undefined : meant)
      }),
    )
  })
})
