import { expect } from 'chai'
import { versionsOf } from '../../../engine/database/collection-versions.js'
import type { Executor } from '../../../engine/read.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { startBudget, type Budget } from '../../../engine/read/execute/budget.js'
import { createAnswerMemory } from '../../../server/content/answer-memory.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import type { Answer } from '../../../server/content/documents.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { startApp, type TestApp } from '../../support/start-app.js'

describe('A read that is stuck', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app?.stop())

  /** Lists tags, each read when it is told to; those who wait for another do so for 20 ms. */
  const reader = () => {
    const { services } = app.quire
    const { db } = services
    const versions = versionsOf(db.client)
    if (versions === undefined) throw new Error('The client has no versions')
    const begun: Readonly<{ answer: (text: string) => void; fail: (error: Error) => void }>[] = []
    let told: () => void = () => undefined
    const run: Executor['run'] = () =>
      new Promise((resolve, reject) => {
        const answer = (text: string): void =>
          resolve({ bytes: Buffer.from(text), revision: null, hash: text, total: null })
        begun.push({ answer, fail: reject })
        told()
      })
    const documents = createDocuments({
      ...services,
      executor: { ...inlineExecutor(db), run },
      answers: createAnswerMemory({
        ...{ maxBytes: 100_000, versions, waitTimeoutMs: 20 },
        isExact: () => true,
      }),
      exactMetadata: false,
    })
    const type = typeOf(services.registry(), 'api::tag.tag')
    return {
      find: (budget?: Budget): Promise<Answer> =>
        documents.find(type, {
          ...{ search: '', grant: fullGrant, envelope: 'content' },
          client: { address: '', bytes: 0, budget },
        }),
      begun,
      /** Resolves when so many reads were begun. */
      until: async (count: number): Promise<void> => {
        while (begun.length < count) await new Promise<void>((resolve) => (told = resolve))
      },
    }
  }

  it('is waited for by others for part of their time, then one of them reads for all', async () => {
    const { find, begun, until } = reader()
    const first = find()
    const others = [find(), find(), find()]
    await until(2)
    begun[1]?.answer('of the second')
    for (const { hash } of await Promise.all(others)) expect(hash).to.equal('of the second')
    expect(begun).to.have.length(2)
    begun[0]?.answer('of the first')
    expect((await first).hash).to.equal('of the first')
  })

  it('answers them all the same where it comes before the next one', async () => {
    const { find, begun, until } = reader()
    const all = [find(), find(), find()]
    await until(2)
    begun[0]?.answer('of the first')
    for (const { hash } of await Promise.all(all)) expect(hash).to.equal('of the first')
  })

  it('is waited for all the same where it cannot be read anew, as in a pool that it keeps', async () => {
    const { find, begun, until } = reader()
    const all = [find(), find(), find(), find()]
    await until(2)
    begun[1]?.fail(new Error('The pool is busy'))
    // None of the others is told of it, or tries as well.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(begun).to.have.length(2)
    begun[0]?.answer('of the first')
    for (const { hash } of await Promise.all(all)) expect(hash).to.equal('of the first')
  })

  it('lets the next one tell why it failed where neither brings anything', async () => {
    const { find, begun, until } = reader()
    const first = find().catch((error: unknown) => error)
    const second = find().catch((error: unknown) => error)
    await until(2)
    begun[1]?.fail(new Error('of the second'))
    begun[0]?.fail(new Error('of the first'))
    expect(await first).to.include({ message: 'of the first' })
    expect(await second).to.include({ message: 'of the second' })
  })

  it('is followed by none of those whose time is over', async () => {
    const { find, begun } = reader()
    const first = find()
    const error = await find(startBudget(0)).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.have.property('status', 503)
    expect(begun).to.have.length(1)
    begun[0]?.answer('of the first')
    await first
  })
})
