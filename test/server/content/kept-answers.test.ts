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

describe('The memory of answers', () => {
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
    if (versions === undefined) throw new Error('The client has no versions')
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

  it('keeps nothing that was read while something was written, whatever came first', async () => {
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
    const kept = ['before', 'during', 'after'].map((key) => recall(answers, key)?.answer.hash)
    expect(kept).to.deep.equal([undefined, undefined, 'new'])
  })

  it('lets go of what is out of date when it is asked for', async () => {
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

  it('lets others wait for what is being made, as long as nothing was written since it began', async () => {
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
    const former = answers.begin('a', entries).ended
    const tooEarly = answers.recall('a')
    await write()
    expect(answers.recall('a')).to.equal(undefined)
    former(answerOf('of before'))
    expect(await tooEarly).to.equal(undefined)
    expect(answers.recall('a')).to.equal(undefined)

    const failing = answers.begin('a', entries).ended
    const inVain = answers.recall('a')
    failing(undefined)
    expect(await inVain).to.equal(undefined)
    expect(answers.recall('a')).to.equal(undefined)
  })

  it('goes on making what others wait for when who asked first is gone, and ends when all are', () => {
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
    // Nobody waits for what was given up.
    expect(answers.recall('a')).to.equal(undefined)
    making.ended(undefined)
  })

  it('lets others make what they have waited for long, and gives what comes of the first all the same', async () => {
    const answers = memory({ waitTimeoutMs: 20 })
    const stuck = answers.begin('a', entries)
    const waiting = [answers.recall('a'), answers.recall('a')]
    // While it is being made.
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
    // The newcomer, and who has asked since it was kept; those who waited long count when they ask again.
    expect(answers.figures()).to.include({ hits: 2 })
  })

  it('lets nobody wait for a total that is carried on beside others', () => {
    const answers = memory({ areOthers: true })
    const { ended } = answers.begin('a', entries, { hasTotal: true })
    expect(answers.recall('a')).to.equal(undefined)
    ended(answerOf('a list', { total: 3, isCarried: true }))
    expect(answers.recall('a')).to.equal(undefined)
  })

  it('takes part of its room for one answer at most, and none for keys that are too long', () => {
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

  it('gives and keeps nothing while others may write unheard', () => {
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

  it('keeps no total that is carried on beside others, and every one where there are none', () => {
    for (const areOthers of [true, false]) {
      const answers = memory({ areOthers })
      answers.begin('a', entries).ended(answerOf('a list', { total: 3, isCarried: true }))
      expect(recall(answers, 'a')?.answer.total).to.equal(areOthers ? undefined : 3)
    }
  })
})
