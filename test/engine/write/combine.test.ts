import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { oneByOne } from '../../../engine/database/unit-of-work.js'
import type { Timeline } from '../../../engine/timeline.js'
import { createTimeline } from '../../../engine/timeline.js'
import { combine } from '../../../engine/write/load/combine.js'

/** Waits two turns of the event loop. Keys that arrive during this time are combined. */
const twoTurns = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

/** A database that is never used. */
const anyDatabase = () => oneByOne(new MongoClient('mongodb://localhost').db())

describe('combine', () => {
  it('combines keys of two event loop turns, and of the time while a command is in flight', async () => {
    const db = anyDatabase()
    const runs: string[][] = []
    const go: (() => void)[] = []
    const double = combine<string, string>(db, 'double', async (keys) => {
      runs.push([...keys])
      await new Promise<void>((resolve) => go.push(resolve))
      return keys.map((key) => (key === 'bad' ? new Error('is bad') : `${key}${key}`))
    })
    const first = Promise.all([double('a'), double('b')])
    await twoTurns()
    const second = Promise.allSettled([double('c'), double('bad'), double('c')])
    await twoTurns()
    expect(runs).to.deep.equal([['a', 'b']])
    go[0]?.()
    expect(await first).to.deep.equal(['aa', 'bb'])
    await twoTurns()
    expect(runs).to.deep.equal([
      ['a', 'b'],
      ['c', 'bad', 'c'],
    ])
    go[1]?.()
    const [c, bad, again] = await second
    expect([c, again]).to.deep.equal([
      { status: 'fulfilled', value: 'cc' },
      { status: 'fulfilled', value: 'cc' },
    ])
    expect(bad.status === 'rejected' && String(bad.reason)).to.equal('Error: is bad')
  })

  it('rejects all keys of a failed command, but not later keys', async () => {
    const db = anyDatabase()
    let isBroken = true
    const find = combine<number, number>(db, 'find', async (keys) => {
      await Promise.resolve()
      if (isBroken) throw new Error('no database')
      return keys
    })
    const failed = await Promise.allSettled([find(1), find(2)])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    isBroken = false
    expect(await find(3)).to.equal(3)
  })

  it('passes the timelines of the requests that wait for the command, and no others', async () => {
    const { db } = anyDatabase()
    const [one, other, later] = [createTimeline(), createTimeline(), createTimeline()]
    const sentFor: (readonly Timeline[])[] = []
    const findFor = (timelines: readonly Timeline[]) =>
      combine<number, number>(oneByOne(db, timelines), 'timed', (keys, { timelines }) => {
        sentFor.push(timelines)
        return Promise.resolve(keys)
      })
    await Promise.all([findFor([one])(1), findFor([other])(2), findFor([])(3), findFor([one])(4)])
    await findFor([later])(5)
    expect(sentFor).to.have.lengthOf(2)
    expect(sentFor[0]?.length === 2 && sentFor[0][0] === one && sentFor[0][1] === other).to.equal(
      true,
    )
    expect(sentFor[1]?.length === 1 && sentFor[1][0] === later).to.equal(true)
  })
})
