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
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('stuck read', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app?.stop())

  /**
   * Returns functions to read tags. The test decides when each read ends. Other requests for the same response wait for
   * it for 20 ms.
   */
  const reader = () => {
    const { services } = app.quire
    const { db } = services
    const versions = versionsOf(db.client)
    const begun: Readonly<{ answer: (text: string) => void; fail: (error: Error) => void }>[] = []
    let notify: () => void = () => undefined
    const run: Executor['run'] = () =>
      new Promise((resolve, reject) => {
        const answer = (text: string): void =>
          resolve({ bytes: Buffer.from(text), revision: null, hash: text, total: null })
        begun.push({ answer, fail: reject })
        notify()
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
      until: async (count: number): Promise<void> => {
        while (begun.length < count) await new Promise<void>((resolve) => (notify = resolve))
      },
    }
  }

  it('is waited for until the timeout, then one waiting request reads for all', async () => {
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

  it('still provides the response if it ends before the second read', async () => {
    const { find, begun, until } = reader()
    const all = [find(), find(), find()]
    await until(2)
    begun[0]?.answer('of the first')
    for (const { hash } of await Promise.all(all)) expect(hash).to.equal('of the first')
  })

  it('is still waited for if the second read fails', async () => {
    const { find, begun, until } = reader()
    const all = [find(), find(), find(), find()]
    await until(2)
    begun[1]?.fail(new Error('The pool is busy'))
    // No other request gets the error or starts a read.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(begun).to.have.length(2)
    begun[0]?.answer('of the first')
    for (const { hash } of await Promise.all(all)) expect(hash).to.equal('of the first')
  })

  it('gives each request the error of its own read if both reads fail', async () => {
    const { find, begun, until } = reader()
    const first = find().catch((error: unknown) => error)
    const second = find().catch((error: unknown) => error)
    await until(2)
    begun[1]?.fail(new Error('of the second'))
    begun[0]?.fail(new Error('of the first'))
    expect(await first).to.include({ message: 'of the first' })
    expect(await second).to.include({ message: 'of the second' })
  })

  it('is not repeated for a request whose time is over', async () => {
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
