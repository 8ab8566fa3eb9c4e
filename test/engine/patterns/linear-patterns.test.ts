import { expect } from 'chai'
import fc from 'fast-check'
import { createPattern } from '../../../engine/patterns/pattern.js'
import { runs } from '../../support/properties.js'

/** Includes syntax with another meaning in RE2, and characters that only look like syntax in JavaScript. */
const atoms = [
  ...['a', 'b', '1', ' ', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '[^]', '[]', '\\n', '\\0'],
  ...[
    '[a-b]',
    '[^a]',
    '[\\s\\d]',
    '[^\\w-]',
    '[\\d-z]',
    '[\\b]',
    '\\x41',
    '\\u00e9',
    '\\cJ',
    '[\\c]',
  ],
  ...[
    'é',
    'K',
    'ſ',
    'ß',
    '😀',
    '[😀]',
    '\\ud83d',
    '\\u2028',
    '\\p{L}',
    '\\u{61}',
    '\\k',
    '\\8',
    '\\$',
  ],
  ...['{', '}', ']', '\\-', '\\/', '(?<n>a)'],
]
const assertions = ['^', '$', '\\b', '\\B']
const quantifiers = ['', '', '*', '+', '?', '{2}', '{0}', '{1,2}', '{2,}', '*?', '+?', '??', '{,2}']

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...assertions),
    fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...quantifiers)).map((it) => it.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), fc.constantFrom(...quantifiers))
      .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
  ),
}))
const letters = [
  'a',
  'b',
  '1',
  ' ',
  '_',
  '-',
  'A',
  'p',
  '{',
  '}',
  'L',
  'u',
  'k',
  '8',
  'c',
  '\\',
  '$',
]
const rare = [
  '\n',
  '\r',
  '\u2028',
  '\0',
  '\b',
  'é',
  'K',
  'ſ',
  'ß',
  '\u00a0',
  '\ufeff',
  '😀',
  '\ud83d',
  '\ude00',
]
const text = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', '1', ' '), { maxLength: 12 }),
  fc.array(fc.constantFrom(...letters, ...rare), { maxLength: 8 }),
)
const isValid = (source: string): boolean => {
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

describe('linear-time pattern', () => {
  it('matches the same texts as the regular expression', () => {
    const texts = fc.array(
      text.map((parts) => parts.join('')),
      { minLength: 4, maxLength: 8 },
    )
    let compared = 0
    fc.assert(
      fc.property(pattern.filter(isValid), texts, (source, texts) => {
        const { native, linear } = createPattern(source)
        if (linear === undefined) return
        compared += 1
        for (const one of texts)
          expect(linear.test(one), `/${source}/ in ${JSON.stringify(one)}`).to.equal(
            native.test(one),
          )
      }),
      { numRuns: runs(1500) },
    )
    expect(compared).to.be.greaterThan(runs(1000))
  })

  it('matches the same code units with its character classes', () => {
    const classes = ['\\s', '\\S', '\\w', '\\W', '\\d', '\\D', '.', '[^]', '[]', '[^a-z]']
    for (const source of [...classes, '[\\ud800-\\udfff]', '[\\u2000-\\uffff]', '\\b.\\B', '^.$']) {
      const { native, linear } = createPattern(source)
      const differing = Array.from({ length: 0x10000 }, (_, unit) =>
        String.fromCharCode(unit),
      ).filter((unit) => linear?.test(unit) !== native.test(unit))
      expect(differing, source).to.deep.equal([])
    }
  })

  it('is missing for an unsupported pattern, with the reason, while invalid patterns throw', () => {
    const obstacles = {
      '(?=a)b': 'has a look-ahead',
      '(?!a)*b': 'has a look-ahead',
      '(?<=a)b': 'has a look-behind',
      '(?<!a)b': 'has a look-behind',
      '(a)\\1': 'has a back-reference',
      '(?<n>a)\\k<n>': 'has a back-reference',
      'a{1,5000}': 'repeats more than 1000 times ({1,5000})',
      'a{5000,}': 'repeats more than 1000 times ({5000,})',
      '(?:a{100}){100}': 'is too large',
      [`${'('.repeat(3000)}a${')'.repeat(3000)}`]: 'is too large',
    }
    for (const [source, obstacle] of Object.entries(obstacles)) {
      expect(createPattern(source), source).to.include({ source, obstacle })
      expect(createPattern(source), source).to.not.have.property('linear')
    }
    for (const source of ['a{,5}', 'x{2}{', '\\1', '\\00', '[', '(?<n>a)(?<n>b)', 'a{2,1}'])
      if (isValid(source)) expect(createPattern(source), source).to.have.property('linear')
      else expect(() => createPattern(source), source).to.throw(SyntaxError)
  })
})
