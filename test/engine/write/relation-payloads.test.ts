import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { createDocument, updateDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, published, refusal, startWriting } from './start-writing.js'
import { runs } from '../../support/properties.js'

type Item = Readonly<{ tag: number; position?: Readonly<{ at: 'before' | 'after'; of: number }> }>
type Payload =
  | Readonly<{ set: readonly number[] }>
  | Readonly<{ connect: readonly Item[]; disconnect: readonly number[] }>

const count = 5
const tag = fc.nat({ max: count - 1 })
const item: fc.Arbitrary<Item> = fc.record(
  {
    tag,
    position: fc.record({ at: fc.constantFrom('before' as const, 'after' as const), of: tag }),
  },
  { requiredKeys: ['tag'] },
)
const payload: fc.Arbitrary<Payload> = fc.oneof(
  fc.record({ set: fc.array(tag, { maxLength: 6 }) }),
  fc.record({
    // Each tag at most once: for several positions of the same tag, the result is undefined.
    connect: fc.uniqueArray(item, { maxLength: 5, selector: (item) => item.tag }),
    disconnect: fc.array(tag, { maxLength: 3 }),
  }),
)

/** Returns the list after the edit; undefined if the payload is rejected. */
function model(before: readonly number[], payload: Payload): readonly number[] | undefined {
  if ('set' in payload) return [...new Set(payload.set)]
  let list = before.filter((tag) => !payload.disconnect.includes(tag))
  const connectedBefore = new Set(list)
  let waiting = [...payload.connect]
  const placed = new Set<number>()
  while (waiting.length > 0) {
    // An item is ready if it names no neighbour, or if its neighbour was connected before or is already placed.
    const ready = waiting.find(({ position }) => {
      if (position === undefined || connectedBefore.has(position.of) || placed.has(position.of))
        return true
      return !payload.connect.some(({ tag }) => tag === position.of)
    })
    if (ready === undefined) return undefined
    // Items are placed in the order of the payload, but after the neighbours that they name.
    const next = firstOf(waiting, connectedBefore, placed) ?? ready
    list = list.filter((tag) => tag !== next.tag)
    const at = next.position === undefined ? list.length : list.indexOf(next.position.of)
    if (at < 0) return undefined
    list.splice(next.position?.at === 'after' ? at + 1 : at, 0, next.tag)
    placed.add(next.tag)
    waiting = waiting.filter((item) => item !== next)
  }
  return list
}

function firstOf(
  waiting: readonly Item[],
  connectedBefore: ReadonlySet<number>,
  placed: ReadonlySet<number>,
): Item | undefined {
  let next = waiting[0]
  for (let steps = 0; next?.position !== undefined && steps <= waiting.length; steps += 1) {
    const { of } = next.position
    if (connectedBefore.has(of) || placed.has(of)) return next
    const neighbour = waiting.find(({ tag }) => tag === of)
    if (neighbour === undefined) return next
    next = neighbour
  }
  return next
}

describe('relation payload', () => {
  let writing: Writing
  let tags: readonly string[]
  let article: string
  before(async () => {
    writing = await startWriting()
    const { context, type } = writing
    const ids: string[] = []
    for (let at = 0; at < count; at += 1)
      ids.push((await createDocument(context, type('tag'), draft, { name: `${at}` })).documentId)
    tags = ids
    article = (await createDocument(context, type('article'), draft, {})).documentId
  })
  after(() => writing.stop())

  const write = (value: unknown) =>
    updateDocument(writing.context, writing.type('article'), article, draft, { tags: value })
  const stored = async () =>
    ((await writing.stored('articles.draft'))[0]?.['tags'] as { documentId: string }[]).map(
      ({ documentId }) => tags.indexOf(documentId),
    )
  const sent = (payload: Payload) =>
    'set' in payload
      ? { set: payload.set.map((at) => tags[at]) }
      : {
          connect: payload.connect.map(({ tag, position }) => ({
            documentId: tags[tag],
            ...(position === undefined ? {} : { position: { [position.at]: tags[position.of] } }),
          })),
          disconnect: payload.disconnect.map((at) => tags[at]),
        }

  it('results in the same list as a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(tag), payload, async (before, payload) => {
        await write(before.map((at) => tags[at]))
        const expected = model(before, payload)
        const error = await write(sent(payload)).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (expected === undefined) expect(error).to.be.an.instanceOf(ApiError)
        else expect(error).to.equal(undefined)
        expect(await stored()).to.deep.equal(expected ?? before)
      }),
      { numRuns: runs(150) },
    )
  })

  it('is stored or rejected with 400, whatever it contains', async () => {
    const leaf = fc.oneof(
      fc.constantFrom(...['__proto__', '', '1', 'x', 0, -1, 1.5, 1e300, true, null]),
      fc.string(),
    )
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'set',
            'connect',
            'disconnect',
            'id',
            'documentId',
            'position',
            'before',
            'locale',
            'x',
          ),
          tie('value'),
          { maxKeys: 3 },
        ),
      ),
    })).value
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        const error = await write(value).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (error === undefined) return
        expect(error).to.be.an.instanceOf(ApiError)
        expect((error as ApiError).status).to.equal(400)
      }),
      { numRuns: runs(300) },
    )
  })

  it('disconnects unconnected targets and unknown ids without effect, but not unknown documentIds', async () => {
    await write([tags[0]])
    await write({ disconnect: [tags[1], 9999, '9998'] })
    expect(await stored()).to.deep.equal([0])
    expect(await refusal(write({ disconnect: ['nowhere'] }))).to.include({
      message: 'Document with id "nowhere", locale "null" not found',
    })
  })

  it('is rejected if a number is not a possible record id', async () => {
    await write([tags[0]])
    for (const id of [1.5, 2.6e-42, 1e300, Number.MAX_SAFE_INTEGER + 1])
      for (const payload of [[id], { connect: [id] }, { disconnect: [id] }, { set: [{ id }] }])
        expect(await refusal(write(payload)), JSON.stringify(payload)).to.include({ status: 400 })
    expect(await stored()).to.deep.equal([0])
  })

  it('is rejected if it mixes a target with operations', async () => {
    await write([])
    for (const [key, value] of [
      ['connect', { documentId: tags[0], connect: [tags[1]] }],
      ['set', { id: 1, set: [] }],
      ['disconnect', [{ documentId: tags[0], disconnect: [] }]],
      ['connect', { connect: [{ documentId: tags[0], connect: [] }] }],
    ] as const)
      expect(await refusal(write(value))).to.deep.equal({
        status: 400,
        name: 'ValidationError',
        message: `Invalid key ${key} at tags`,
        details: { key, path: 'tags', source: 'body' },
      })
    expect(await stored()).to.deep.equal([])
  })

  it('works the same for a published document', async () => {
    const { context, type } = writing
    const { documentId } = await createDocument(context, type('article'), published, {
      title: 'x',
      tags: { connect: [tags[1], { documentId: tags[0], position: { start: true } }] },
    })
    const version = (await writing.stored('articles')).find((v) => v['documentId'] === documentId)
    expect(
      (version?.['tags'] as { documentId: string }[]).map(({ documentId }) =>
        tags.indexOf(documentId),
      ),
    ).to.deep.equal([0, 1])
  })
})
