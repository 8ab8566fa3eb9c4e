import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Work } from '../../../support/count-work.js'
import { countingFlags } from '../../../support/count-work.js'
import { runs } from '../../../support/properties.js'

type Growing = Readonly<{
  /** `repeat` repeats `piece` between `head` and `tail`. `join` repeats all three together, as separate parameters. */
  by: 'repeat' | 'join'
  head: string
  /** `#` stands for the index of the piece, `~` for its index from the end. */
  piece: string
  tail: string
}>

const maxLength = 128 * 1024

function textOf(parts: readonly Growing[], size: number): string {
  const each = Math.max(1, Math.floor(size / parts.length))
  return parts
    .map(({ by, head, piece, tail }) => {
      const pieces = Array.from({ length: each }, (_, at) =>
        piece.replaceAll('#', String(at)).replaceAll('~', String(each - 1 - at)),
      )
      return by === 'join'
        ? pieces.map((it) => head + it + tail).join('&')
        : head + pieces.join('') + tail
    })
    .join('&')
}

const lists = [
  ...['populate=', 'populate[0]=', 'populate[author][populate]=', 'populate[author][populate][0]='],
  ...[
    'populate[sections][on][shared.link][populate]=',
    'populate[author]=',
    'populate[author][fields]=',
  ],
  ...['fields=', 'fields[0]=', 'sort=', 'sort[0]=', 'populate[author][sort]=', 'sort[author]='],
  ...[
    'filters[title]=',
    'filters[title][$in]=',
    'filters[views][$gt]=',
    'filters[at]=',
    'filters=',
  ],
  ...['locale=', 'locale[0]=', '_q=', 'status=', 'publicationFilter=', 'hasPublishedVersion='],
  ...['pagination[page]=', 'pagination[pageSize]=', 'pagination=', 'explain=', 'other=', ''],
]
const words = [
  'a',
  'author',
  'articles',
  'author.articles',
  'title',
  'x#',
  '#',
  'x~',
  'title:desc',
  '*',
  '',
]
const separators = [
  ',',
  '.',
  ':',
  ';',
  '%2C',
  ' ',
  '%20',
  '+',
  '[',
  ']',
  '=',
  '][',
  '%00',
  '%C3%A9',
  '',
]
const levels = [
  ...[
    '[$and]',
    '[$or]',
    '[$not]',
    '[0]',
    '[999]',
    '[#]',
    '[~]',
    '[]',
    '[title]',
    '[author]',
    '[x#]',
  ],
  ...[
    '[populate]',
    '[filters]',
    '[sort]',
    '[fields]',
    '[on]',
    '[count]',
    '[$in]',
    '[$eq]',
    '[tags]',
  ],
  ...['[', ']', '[[', '].', '[a.b.c]', '[page]', '[articles]', '[sections]', '[shared.link]'],
]
const heads = [
  ...[
    'filters',
    'populate',
    'sort',
    'fields',
    'pagination',
    'locale',
    '_q',
    'status',
    'x',
    'x#',
    '',
  ],
  ...['filters[author]', 'populate[author]', 'populate[author][filters]', 'populate[sections][on]'],
]
const values = [
  '',
  '=',
  '=1',
  '=a',
  '=#',
  '=true',
  '=title',
  '=author.articles',
  '=*',
  '=asc',
  '=a,b,c',
]

const list = fc.record({
  by: fc.constant('repeat' as const),
  head: fc.constantFrom(...lists),
  piece: fc
    .tuple(fc.constantFrom(...words), fc.constantFrom(...separators))
    .map((it) => it.join('')),
  tail: fc.constantFrom('', 'title', '&sort=title'),
})
const deepKey = fc.record({
  by: fc.constant('repeat' as const),
  head: fc.constantFrom(...heads),
  piece: fc
    .array(fc.constantFrom(...levels), { minLength: 1, maxLength: 3 })
    .map((it) => it.join('')),
  tail: fc.constantFrom(...values, '[title]=a'),
})
const manyKeys = fc.record({
  by: fc.constant('join' as const),
  head: fc.constantFrom(...heads),
  piece: fc.array(fc.constantFrom(...levels), { maxLength: 12 }).map((it) => it.join('')),
  tail: fc.constantFrom(...values, '[title]=a', '[]=1', '[#]=1', '[999]=1'),
})
const hostile = fc.array(fc.oneof(list, deepKey, { weight: 2, arbitrary: manyKeys }), {
  minLength: 1,
  maxLength: 2,
})

const repeated = (head: string, piece: string): Growing => ({ by: 'repeat', head, piece, tail: '' })
const joined = (piece: string): Growing => ({ by: 'join', head: '', piece, tail: '' })

/** The margins allow for constant work, hash tables that double in size, and misses of V8's cache of number strings. */
function expectLinear(once: Work, twice: Work, length: number, what: string): void {
  expect(twice.steps, `steps of ${what}`).to.be.at.most(2.3 * once.steps + 500)
  const bytes = Math.max(once.bytes, 8 * length)
  expect(twice.bytes, `bytes of ${what}`).to.be.at.most(2.6 * bytes + 64_000)
}

describe('work of parsing a query', () => {
  let child: ChildProcess
  before(() => {
    const execArgv = [...countingFlags, '--max-old-space-size=64']
    child = fork(fileURLToPath(new URL('./query-work.js', import.meta.url)), { execArgv })
  })
  after(() => child.kill())

  const workOf = async (search: string): Promise<Work> => {
    child.send(search)
    const [work] = (await once(child, 'message')) as [Work & { failed: string | null }]
    expect(work.failed, search.slice(0, 100)).to.equal(null)
    expect(work.bytes, `bytes of ${search.slice(0, 100)}`).to.be.at.most(
      64_000 + 600 * search.length,
    )
    return work
  }
  const check = async (parts: readonly Growing[], size: number): Promise<void> => {
    const [short, long] = [textOf(parts, size), textOf(parts, 2 * size)]
    if (long.length > maxLength) return
    const what = `${short.slice(0, 100)} × ${size}`
    expectLinear(await workOf(short), await workOf(long), short.length, what)
  }

  for (const part of [
    repeated('populate=', 'a.'),
    repeated('populate[0]=', 'a.'),
    repeated('populate[author][populate]=', 'a.'),
    repeated('populate=', 'a.b,'),
    repeated('populate=', ','),
    repeated('populate=', 'author.articles,'),
    repeated('populate[author][populate][0]=', 'articles.author,'),
    repeated('fields=', 'title,'),
    repeated('sort=', 'author.name,'),
    repeated('sort=', 'a.'),
    repeated('populate[author][sort]=', ','),
    repeated('filters', '[$not]'),
    repeated('x', '['),
    joined('filters[title][$in]=x'),
    joined('filters[title][$in][#]=x'),
    joined('filters[title][$in][~]=x'),
    joined('filters[$or][#][title]=x'),
    joined('filters[$or][#][$and][0][$not][title][$contains]=x'),
    joined('filters[$or][999][$or][999][$or][999][$or][999][$or][999][x#]=1'),
    joined('x[#][999][999][999][999][999][999]=1'),
    joined('x[y#]=1&x=2'),
    joined('fields[]=1&populate[author][999]=*'),
    joined('populate[x#][fields]=title'),
  ]) {
    it(`is at most doubled if ${part.head}${part.piece} is twice as long`, async () => {
      for (const size of [60, 480, 4000]) await check([part], size)
    })
  }

  // If the folder of the parser moved, nothing would be counted, and all other tests would still pass.
  it('counts the steps of the parser', async () => {
    const { steps } = await workOf(textOf([joined('fields[]=title')], 90))
    expect(steps).to.be.above(500)
  })

  it('is at most doubled if a random query is twice as long', async () => {
    const sizes = fc.integer({ min: 4, max: 12 }).map((power) => 2 ** power)
    await fc.assert(fc.asyncProperty(hostile, sizes, check), { numRuns: runs(120) })
  }).timeout(120_000)
})
