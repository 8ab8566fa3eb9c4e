import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { createClient } from '../../../engine/database/client.js'
import { versionsOf } from '../../../engine/database/collection-versions.js'
import type { ReadAnswer } from '../../../engine/read.js'
import {
  createAnswerMemory,
  type AnswerMemory,
  type AnswerMemoryOptions,
} from '../../../server/content/answer-memory.js'
import { testDatabaseUri } from '../../support/database.js'

describe('createAnswerMemory', () => {
  let client: MongoClient
  before(async () => {
    client = createClient(await testDatabaseUri(), { appName: 'test' })
  })
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
  })

  const memory = (options: Partial<AnswerMemoryOptions> = {}): AnswerMemory => {
    const versions = versionsOf(client)
    const usual = { maxBytes: 100_000, versions, isExact: () => true, waitTimeoutMs: 60_000 }
    return createAnswerMemory({ ...usual, ...options })
  }
  const answerOf = (text: string, more: Partial<ReadAnswer> = {}) => ({
    answer: { bytes: Buffer.from(text), revision: null, hash: text, total: null, ...more },
    ignored: [],
  })
  const recall = (answers: AnswerMemory, key: string) => {
    const known = answers.recall(key)
    if (known instanceof Promise) throw new Error('It is being made')
    return known
  }
  const entries = new Set(['entries'])
  const write = () => client.db().collection('entries').insertOne({})

  it('keeps no response whose read overlaps a write', async () => {
    const answers = memory()
    const before = answers.begin('before', entries).ended
    const writing = write()
    const during = answers.begin('during', entries).ended
    during(answerOf('of nobody knows when'))
    await writing
    const after = answers.begin('after', entries).ended
    before(answerOf('old, perhaps'))
    during(answerOf('of nobody knows when'))
    after(answerOf('new'))
    const hashes = ['before', 'during', 'after'].map((key) => recall(answers, key)?.answer.hash)
    expect(hashes).to.deep.equal([undefined, undefined, 'new'])
  })

  it('deletes an outdated response when it is requested', async () => {
    const answers = memory()
    answers.begin('a', entries).ended(answerOf('old'))
    const { bytes } = answers.figures()
    await write()
    expect(answers.recall('a')).to.equal(undefined)
    expect([bytes > 0, answers.figures()]).to.deep.equal([
      true,
      { hits: 0, misses: 1, entries: 0, bytes: 0 },
    ])
  })

  it('lets requests wait for a read in flight if nothing was written since it began', async () => {
    const answers = memory()
    const ended = answers.begin('a', entries).ended
    const waiting = [answers.recall('a'), answers.recall('a')]
    expect(waiting[0]).to.be.instanceOf(Promise)
    expect(answers.recall('b')).to.equal(undefined)
    ended(answerOf('made once'))
    for (const made of waiting)
      expect(await made).to.have.nested.property('answer.hash', 'made once')
    expect(answers.figures()).to.include({ hits: 2, misses: 1 })

    await write()
    const previous = answers.begin('a', entries).ended
    const tooEarly = answers.recall('a')
    await write()
    expect(answers.recall('a')).to.equal(undefined)
    previous(answerOf('of before'))
    expect(await tooEarly).to.equal(undefined)
    expect(answers.recall('a')).to.equal(undefined)

    const failing = answers.begin('a', entries).ended
    const failed = answers.recall('a')
    failing(undefined)
    expect(await failed).to.equal(undefined)
    expect(answers.recall('a')).to.equal(undefined)
  })

  it('continues a read while any request waits for it, and aborts it after the last one leaves', () => {
    const answers = memory()
    const [first, second, third] = [0, 1, 2].map(() => new AbortController())
    const making = answers.begin('a', entries, { signal: first?.signal })
    const waiting = [answers.recall('a', second?.signal), answers.recall('a', third?.signal)]
    expect(waiting.every((one) => one instanceof Promise)).to.equal(true)
    first?.abort()
    second?.abort()
    expect(making.signal?.aborted).to.equal(false)
    third?.abort()
    expect(making.signal?.aborted).to.equal(true)
    // New requests do not wait for an aborted read.
    expect(answers.recall('a')).to.equal(undefined)
    making.ended(undefined)
  })

  it('ends waiting after waitTimeoutMs, and still delivers the first result', async () => {
    const answers = memory({ waitTimeoutMs: 20 })
    const stuck = answers.begin('a', entries)
    const waiting = [answers.recall('a'), answers.recall('a')]
    const [one, two] = [await waiting[0], await waiting[1]]
    expect(answers.recall('a')).to.equal(undefined)
    const next = answers.begin('a', entries)
    const newcomer = answers.recall('a')
    expect(newcomer).to.be.instanceOf(Promise)
    stuck.ended(answerOf('late'))
    for (const waited of [one, two]) {
      if (waited === undefined || !('later' in waited)) throw new Error('It did not take long')
      expect((await waited.later)?.answer.hash).to.equal('late')
    }
    expect(recall(answers, 'a')?.answer.hash).to.equal('late')
    next.ended(undefined)
    expect(await newcomer).to.have.nested.property('answer.hash', 'late')
    // The hits are `newcomer` and the last recall. Requests that stopped waiting are no hits before they recall again.
    expect(answers.figures()).to.include({ hits: 2 })
  })

  it('lets no request wait for an incremental total if other processes write', () => {
    const answers = memory({ areOthers: true })
    const { ended } = answers.begin('a', entries, { hasTotal: true })
    expect(answers.recall('a')).to.equal(undefined)
    ended(answerOf('a list', { total: 3, isCarried: true }))
    expect(answers.recall('a')).to.equal(undefined)
  })

  it('limits one response to part of the memory, and keeps none with a long key', () => {
    const answers = memory({ maxBytes: 10_000 })
    const keep = (key: string, size: number): void =>
      answers.begin(key, entries).ended(answerOf('x'.repeat(size)))
    keep('large', 5_000)
    keep('k'.repeat(5_000), 1)
    for (let n = 0; n < 100; n += 1) keep(`small ${n}`, 100)
    expect(answers.recall('large')).to.equal(undefined)
    expect(recall(answers, 'small 99')?.answer.bytes).to.have.length(100)
    expect(answers.recall('small 0')).to.equal(undefined)
    expect(answers.figures().bytes).to.be.within(1, 10_000)
  })

  it('neither returns nor keeps responses while other processes may write unnoticed', () => {
    let isExact = true
    const answers = memory({ isExact: () => isExact })
    answers.begin('a', entries).ended(answerOf('kept'))
    isExact = false
    answers.begin('b', entries).ended(answerOf('not kept'))
    expect(answers.recall('a')).to.equal(undefined)
    isExact = true
    expect(recall(answers, 'a')?.answer.hash).to.equal('kept')
    expect(answers.recall('b')).to.equal(undefined)
  })

  it('keeps incremental totals only if no other process writes', () => {
    for (const areOthers of [true, false]) {
      const answers = memory({ areOthers })
      answers.begin('a', entries).ended(answerOf('a list', { total: 3, isCarried: true }))
      expect(recall(answers, 'a')?.answer.total).to.equal(areOthers ? undefined : 3)
    }
  })
})
