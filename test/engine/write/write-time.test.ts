import { expect } from 'chai'
import type { Db } from 'mongodb'
import { runInOrder } from '../../../engine/database/run-in-order.js'
import type { ApiError } from '../../../engine/errors.js'
import { startWriteTime } from '../../../engine/write/write-time.js'

const errorOf = (run: Promise<unknown>): Promise<ApiError> =>
  run.then(
    () => expect.fail('it did not fail'),
    (error: ApiError) => error,
  )
const forEver = (): Promise<never> => new Promise(() => undefined)

describe('the time of a write', () => {
  it('is over: 503, which says that nothing was done where nothing was begun', async () => {
    const error = await errorOf(startWriteTime(5).within(forEver))
    const { code, message, details, headers } = error
    expect({ code, message, details, headers }).to.deep.equal({
      code: 'unavailable',
      message: 'The write took longer than 5 ms (api.rest.writeTimeoutMs). It was not done',
      details: { outcome: 'not-done' },
      headers: { 'Retry-After': '1' },
    })
  })

  it('says that nobody knows where it was begun', async () => {
    const time = startWriteTime(5)
    time.begin()
    const error = await errorOf(time.within(forEver))
    expect(error.details).to.deep.equal({ outcome: 'unknown' })
  })

  it('says that it was done, and of which document, where only its answer was late', async () => {
    const time = startWriteTime(5)
    time.begin()
    time.end('abc')
    const { message, details } = await errorOf(time.within(forEver))
    expect(message).to.match(/It was done, but its response cannot be shown$/)
    expect(details).to.deep.equal({ outcome: 'done', documentId: 'abc' })
  })

  it('a write that was given up in its queue never begins, and the next one does', async () => {
    const db = {} as Db
    let finish = (): void => undefined
    const slow = runInOrder(db, 'one', () => new Promise<void>((resolve) => (finish = resolve)))
    const begun: string[] = []
    const time = startWriteTime(5)
    const run = () => runInOrder(db, 'one', () => Promise.resolve(begun.push('given up')), time)
    let queued: Promise<unknown> | undefined
    const error = await errorOf(time.within(() => (queued = run())))
    expect(error.details).to.deep.equal({ outcome: 'not-done' })
    const next = runInOrder(
      db,
      'one',
      () => Promise.resolve(begun.push('next')),
      startWriteTime(60_000),
    )
    finish()
    await Promise.all([slow, next])
    expect(await errorOf(Promise.resolve(queued))).to.equal(error)
    expect(begun).to.deep.equal(['next'])
  })
})
