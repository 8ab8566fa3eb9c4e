import { expect } from 'chai'
import type { Db } from 'mongodb'
import { runInOrder } from '../../engine/database/run-in-order.js'
import type { ApiError } from '../../engine/errors.js'
import { startWriteTime } from '../../engine/write-time.js'

const errorOf = (run: Promise<unknown>): Promise<ApiError> =>
  run.then(
    () => expect.fail('it did not fail'),
    (error: ApiError) => error,
  )
const never = (): Promise<never> => new Promise(() => undefined)

describe('write timeout', () => {
  it('returns 503 and says that the write was not done if it had not begun', async () => {
    const error = await errorOf(startWriteTime(5).within(never))
    const { code, message, details, headers } = error
    expect({ code, message, details, headers }).to.deep.equal({
      code: 'unavailable',
      message: 'The write took longer than 5 ms (api.rest.writeTimeoutMs). It was not done',
      details: { outcome: 'not-done' },
      headers: { 'Retry-After': '1' },
    })
  })

  it('reports an unknown outcome if the write had begun', async () => {
    const time = startWriteTime(5)
    time.begin()
    const error = await errorOf(time.within(never))
    expect(error.details).to.deep.equal({ outcome: 'unknown' })
  })

  it('reports success and the documentId if only the response was late', async () => {
    const time = startWriteTime(5)
    time.begin()
    time.end('abc')
    const { message, details } = await errorOf(time.within(never))
    expect(message).to.match(/It was done, but its response cannot be shown$/)
    expect(details).to.deep.equal({ outcome: 'done', documentId: 'abc' })
  })

  it('never runs a write that timed out in the queue, but runs the next one', async () => {
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
