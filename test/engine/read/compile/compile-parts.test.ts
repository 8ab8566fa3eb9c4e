import { expect } from 'chai'
import type { BoundCondition, OpenCondition } from '../../../../engine/read/plan/bound-query.js'
import {
  canBeRanked,
  bindLocales,
  bindForLocale,
  keysIn,
} from '../../../../engine/read/plan/bound-query.js'
import { compileMatch } from '../../../../engine/read/compile/compile-match.js'
import { readCountRow } from '../../../../engine/read/compile/compile-read.js'
import { readKeyRow } from '../../../../engine/read/compile/compile-relations.js'
import { readRankRow } from '../../../../engine/read/compile/compile-ranks.js'
import type { Link } from '../../../../engine/read/plan/read-plan.js'
import { isNever } from '../../../../engine/read/plan/read-plan.js'
import { documentKey } from '../../../../engine/read/plan/bound-query.js'

describe('reading database rows', () => {
  it('returns the key, locale and count of a source', () => {
    const row = (more: object) => ({ key: 'a', locale: null, count: 1, ...more })
    expect(readKeyRow({ documentId: 'a' })).to.deep.equal(row({}))
    expect(readKeyRow({ documentId: 'a', locale: 'en' })).to.deep.equal(row({ locale: 'en' }))
    expect(readKeyRow({ _id: { key: 'a' }, count: 3 })).to.deep.equal(row({ count: 3 }))
    expect(readKeyRow({ _id: { key: 'a', locale: 'fr' }, count: 2n })).to.deep.equal(
      row({ locale: 'fr', count: 2 }),
    )
  })

  it('returns the number of targets of a source, by documentId and locale', () => {
    expect(readCountRow({ _id: { documentId: 'a', locale: null }, count: 2 })).to.deep.equal([
      'a',
      2,
    ])
    expect(readCountRow({ _id: { documentId: 'a', locale: 'en' }, count: 2n })).to.deep.equal([
      'a en',
      2,
    ])
    expect(documentKey('a', 'en')).to.equal('a en')
    expect(documentKey('a', null)).to.equal('a')
  })

  it('returns the ranks of a target', () => {
    const row = { _id: { documentId: 'a', locale: 'en' }, ranks: [3n, 0], count: 2n }
    expect(readRankRow(row)).to.deep.equal({
      ...{ documentId: 'a', locale: 'en', ranks: [3, 0], count: 2 },
    })
  })
})

describe('case-insensitive pattern', () => {
  /** Returns the pattern for a case-insensitive `contains`. */
  const pattern = (text: string) => {
    const { t } = compileMatch({
      ...{ kind: 'test', path: 't' },
      test: { op: 'match', how: 'contains', insensitive: true, negated: false, texts: [text] },
    }) as { t: { $regex: string; $options: string } }
    return { source: t.$regex, options: t.$options }
  }

  it('uses the i flag for ASCII and escapes special characters', () => {
    expect(pattern('a.b*')).to.deep.equal({ source: 'a\\.b\\*', options: 'i' })
    expect(pattern('')).to.deep.equal({ source: '', options: 'i' })
  })

  it('lists the cases of other letters, with the i flag for ASCII between them', () => {
    expect(pattern('é')).to.deep.equal({ source: '[Éé]', options: '' })
    expect(pattern('É.x')).to.deep.equal({ source: '[Éé](?i:\\.x)', options: '' })
    expect(pattern('aÉb')).to.deep.equal({ source: '(?i:a)[Éé](?i:b)', options: '' })
    expect(pattern('θ').source).to.match(/^\[[Θθϑϴ]{4}\]$/u)
    expect(pattern('θ')).to.deep.equal(pattern('θ'))
    expect(pattern('𐐀').source).to.equal('[𐐀𐐨]')
  })

  it('leaves characters without case unchanged', () => {
    expect(pattern('日本')).to.deep.equal({ source: '日本', options: '' })
    expect(pattern('日a')).to.deep.equal({ source: '日(?i:a)', options: '' })
    expect(pattern('😀')).to.deep.equal({ source: '😀', options: '' })
  })

  it('uses the i flag if the list of cases would be too long', () => {
    const letters = (count: number) => 'é'.repeat(count)
    expect(pattern(letters(5333)).options).to.equal('')
    expect(pattern(letters(5334))).to.deep.equal({ source: letters(5334), options: 'i' })
  })
})

describe('bound conditions', () => {
  const keys = (values: readonly string[]) =>
    ({ kind: 'keys', path: 'a.documentId', values }) as const
  const test = { kind: 'test', path: 't', test: { op: 'notNull' } } as const
  const byLocale = (of: 'same' | 'other'): OpenCondition => ({
    ...{ kind: 'localeKeys', path: 'a.documentId', of },
    values: new Map([
      ['en', ['e']],
      ['fr', ['f', 'g']],
    ]),
  })
  const among = (op: 'in' | 'notIn', ...codes: string[]) => ({
    ...{ kind: 'test', path: 'locale' },
    test: { op, values: codes.map((value) => ({ as: 'text', value })) },
  })
  const link: Link = {
    ...{ collection: 'c', stored: 'here', path: 'p', many: true },
    locale: { kind: 'none' },
  }
  const joined = (of: BoundCondition): BoundCondition => ({
    ...{ kind: 'joined', link },
    test: { kind: 'satisfies', of },
  })
  const modified: BoundCondition = {
    ...{ kind: 'joined', link },
    test: { kind: 'modified', drafts: 'd' },
  }

  it('are reduced to the keys of one locale by closeFor', () => {
    expect(bindForLocale('fr', byLocale('same'))).to.deep.equal(keys(['f', 'g']))
    expect(bindForLocale('fr', byLocale('other'))).to.deep.equal(keys(['e']))
    expect(bindForLocale('de', byLocale('same'))).to.deep.equal(keys([]))
    expect(bindForLocale(null, byLocale('other'))).to.deep.equal(keys(['e', 'f', 'g']))
    const element = { kind: 'element', path: 'l', of: byLocale('same'), orEmpty: true } as const
    expect(bindForLocale('en', element)).to.deep.equal({ ...element, of: keys(['e']) })
    for (const kind of ['all', 'any', 'none'] as const) {
      const of = [byLocale('same'), test, keys(['k']), modified]
      expect(bindForLocale('en', { kind, of })).to.deep.equal({
        kind,
        of: [keys(['e']), test, keys(['k']), modified],
      })
    }
  })

  it('are split by close into one alternative per locale and one for the rest', () => {
    const each = (first: unknown, second: unknown, rest: unknown) => ({
      kind: 'any',
      of: [
        { kind: 'all', of: [among('in', 'en'), first] },
        { kind: 'all', of: [among('in', 'fr'), second] },
        { kind: 'all', of: [among('notIn', 'en', 'fr'), rest] },
      ],
    })
    const expected = each(keys(['e']), keys(['f', 'g']), keys([]))
    expect(bindLocales(byLocale('same'))).to.deep.equal(expected)
    expect(bindLocales({ kind: 'all', of: [test, byLocale('same')] })).to.deep.equal({
      kind: 'all',
      of: [test, expected],
    })
    const any = (inner: unknown) => ({ kind: 'any', of: [test, inner] })
    expect(
      bindLocales({ kind: 'any', of: [test, byLocale('same'), byLocale('same')] }),
    ).to.deep.include({
      kind: 'any',
    })
    expect(bindLocales({ kind: 'any', of: [test, byLocale('same')] })).to.deep.equal(
      each(any(keys(['e'])), any(keys(['f', 'g'])), any(keys([]))),
    )
    const element = (of: unknown) => ({ kind: 'element', path: 'l', of, orEmpty: false })
    expect(bindLocales(element(byLocale('same')) as OpenCondition)).to.deep.equal(
      each(element(keys(['e'])), element(keys(['f', 'g'])), element(keys([]))),
    )
    for (const one of [test, keys(['k']), modified]) expect(bindLocales(one)).to.deep.equal(one)
  })

  it('have their keys counted by keysIn, including nested ones', () => {
    expect(keysIn(keys(['a', 'b']))).to.equal(2)
    expect(keysIn(test)).to.equal(0)
    expect(keysIn(modified)).to.equal(0)
    expect(keysIn(joined(keys(['a'])))).to.equal(1)
    expect(
      keysIn({ kind: 'element', path: 'l', of: keys(['a', 'b', 'c']), orEmpty: false }),
    ).to.equal(3)
    for (const kind of ['all', 'any', 'none'] as const) {
      expect(keysIn({ kind, of: [keys(['a']), joined(keys(['a'])), test] })).to.equal(2)
    }
  })

  it('can be always or never true if they have no members', () => {
    expect(isNever({ kind: 'any', of: [] })).to.equal(true)
    expect(isNever({ kind: 'all', of: [] })).to.equal(false)
    expect(isNever({ kind: 'any', of: [test] })).to.equal(false)
    expect(compileMatch({ kind: 'any', of: [] })).to.deep.equal({ $expr: false })
    expect(compileMatch({ kind: 'all', of: [] })).to.deep.equal({})
    const always = { kind: 'all', of: [] } as const
    expect(compileMatch({ kind: 'any', of: [always, test] })).to.deep.equal({
      $or: [{}, { t: { $ne: null } }],
    })
    expect(compileMatch({ kind: 'none', of: [] })).to.deep.equal({})
    expect(compileMatch({ kind: 'none', of: [always] })).to.deep.equal({ $nor: [{}] })
    expect(compileMatch({ kind: 'all', of: [always, test] })).to.deep.equal({ t: { $ne: null } })
  })

  it('can be ranked unless they use localizations or other locales', () => {
    expect(canBeRanked(link)).to.equal(true)
    expect(canBeRanked({ ...link, stored: 'there' })).to.equal(true)
    expect(canBeRanked({ ...link, stored: 'sibling' })).to.equal(false)
    expect(canBeRanked({ ...link, locale: { kind: 'other', among: ['en'] } })).to.equal(false)
    expect(canBeRanked({ ...link, locale: { kind: 'same' } })).to.equal(true)
  })
})
