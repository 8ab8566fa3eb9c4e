import { expect } from 'chai'
import { BSON, Long } from 'mongodb'
import { findField, firstField, stringValue } from '../../../server/database/embedded/bson-peek.js'
import { Limiter } from '../../../server/database/embedded/limiter.js'
import { FramingError, MessageReader } from '../../../server/database/embedded/message-reader.js'
import { OpenCursors } from '../../../server/database/embedded/open-cursors.js'
import {
  commandMessage,
  readRequest,
  withTextField,
} from '../../../server/database/embedded/wire.js'

describe('wire protocol', () => {
  it('splits bytes into messages, whatever the chunks in which they arrive', () => {
    const messages = ['a', 'b'.repeat(5_000), 'c'].map((find) => commandMessage({ find }))
    const bytes = Buffer.concat(messages)
    for (const size of [1, 3, 16, 100, bytes.length]) {
      const reader = new MessageReader()
      const taken: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size))
        for (let message = reader.take(); message; message = reader.take()) taken.push(message)
      }
      expect(taken, `in chunks of ${size}`).to.deep.equal(messages)
      expect(reader.buffered).to.equal(0)
    }
  })

  it('rejects invalid message lengths', () => {
    for (const length of [-1, 0, 15, 48_000_001]) {
      const header = Buffer.alloc(16)
      header.writeInt32LE(length, 0)
      const reader = new MessageReader()
      reader.push(header)
      expect(() => reader.take(), String(length)).to.throw(FramingError)
    }
  })

  it('finds the command after a document sequence', () => {
    const body = BSON.serialize({ insert: 'a', $db: 'quire' })
    const sequence = Buffer.concat([Buffer.from([1, 17, 0, 0, 0]), Buffer.from('documents\0xyz')])
    sequence.writeInt32LE(sequence.length - 1, 1)
    const header = Buffer.alloc(20)
    header.writeInt32LE(42, 4)
    header.writeInt32LE(2013, 12)
    header.writeInt32LE(2, 16)
    const message = Buffer.concat([header, sequence, Buffer.from([0]), body])
    expect(readRequest(message)).to.deep.include({
      requestId: 42,
      command: 'insert',
      expectsReply: false,
      legacy: false,
    })
  })

  it('adds a field to a command', () => {
    const message = commandMessage({ find: 'a', filter: { x: 'é' }, $db: 'quire' })
    const longer = withTextField(message, readRequest(message).bodyAt, 'comment', 'mine')
    expect(longer.readInt32LE(0)).to.equal(longer.length)
    expect(BSON.deserialize(longer.subarray(readRequest(longer).bodyAt))).to.deep.equal({
      ...{ find: 'a', filter: { x: 'é' }, $db: 'quire', comment: 'mine' },
    })
  })

  it('throws a RangeError for any truncated message', () => {
    const message = commandMessage({ find: 'a', filter: { x: 1 } })
    for (let length = 0; length < 26; length++) {
      expect(() => readRequest(message.subarray(0, length)), String(length)).to.throw(RangeError)
    }
  })
})

describe('single BSON fields', () => {
  const document = Buffer.from(
    BSON.serialize({
      double: 1.5,
      text: 'é',
      document: { a: 1 },
      array: [1, 2],
      binary: new BSON.Binary(Buffer.from('abc')),
      objectId: new BSON.ObjectId(),
      bool: true,
      date: new Date(0),
      nothing: null,
      regexp: /a/i,
      code: new BSON.Code('x'),
      scoped: new BSON.Code('x', { y: 1 }),
      symbol: new BSON.BSONSymbol('s'),
      int: 7,
      timestamp: new BSON.Timestamp({ t: 1, i: 1 }),
      long: Long.fromNumber(7),
      decimal: BSON.Decimal128.fromString('1'),
      min: new BSON.MinKey(),
      max: new BSON.MaxKey(),
      last: 'found',
    }),
  )

  it('are found after values of every type', () => {
    expect(firstField(document, 0)?.name).to.equal('double')
    expect(stringValue(document, findField(document, 0, 'text'))).to.equal('é')
    expect(stringValue(document, findField(document, 0, 'last'))).to.equal('found')
    expect(findField(document, 0, 'absent')).to.equal(undefined)
  })
})

describe('open cursors', () => {
  const reply = (id: number) =>
    Buffer.from(
      BSON.serialize({
        cursor: { firstBatch: [{ a: 1 }], id: Long.fromNumber(id), ns: 'quire.a.draft' },
        ok: 1,
      }),
    )
  const named = (cursors: OpenCursors) => cursors.takeIdle(Infinity).map(({ id }) => id)

  it('are tracked from replies until they are exhausted, killed or idle', () => {
    const cursors = new OpenCursors()
    for (const id of [0, 1, 2, 3]) cursors.note(reply(id), 100 + id)
    expect(cursors.size).to.equal(3)
    expect(cursors.takeIdle(102)).to.deep.equal([
      { id: 1n, database: 'quire', collection: 'a.draft', usedAt: 101 },
    ])
    const more = commandMessage({ getMore: Long.fromNumber(2), collection: 'a' })
    cursors.forgetNamedBy('getMore', more, 21)
    expect(named(cursors)).to.deep.equal([3n])
    cursors.note(reply(4), 100)
    const kill = commandMessage({ killCursors: 'a', cursors: [Long.fromNumber(4)] })
    cursors.forgetNamedBy('killCursors', kill, 21)
    expect(named(cursors)).to.deep.equal([])
  })
})

describe('limiter', () => {
  it('runs tasks in order up to the limit, and frees the slot of a failed task', async () => {
    const limiter = new Limiter(2)
    const order: number[] = []
    let most = 0
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, task) =>
        limiter.run(async () => {
          order.push(task)
          most = Math.max(most, limiter.running)
          await new Promise((resolve) => setImmediate(resolve))
          if (task % 3 === 0) throw new Error('failed')
        }),
      ),
    )
    expect(order).to.deep.equal(Array.from({ length: 20 }, (_, task) => task))
    expect(most).to.equal(2)
    expect(limiter.running).to.equal(0)
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(7)
  })

  it('runs low-priority tasks last and up to their limit, but always at least one', async () => {
    const limiter = new Limiter(3, 2)
    const ends: (() => void)[] = []
    const started: string[] = []
    const run = (name: string, isLowPriority: boolean) =>
      limiter.run(() => {
        started.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      }, isLowPriority)
    const tasks = ['a', 'b', 'c', 'd'].map((name) => run(name, true))
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    await turn()
    expect(started.join('')).to.equal('ab')
    tasks.push(...['1', '2', '3', '4'].map((name) => run(name, false)))
    await turn()
    expect(started.join('')).to.equal('ab1')
    for (const expected of ['ab12', 'ab12c', 'ab12c3', 'ab12c34', 'ab12c34d']) {
      ends.shift()?.()
      await turn()
      expect(started.join('')).to.equal(expected)
    }
    for (const end of ends) end()
    await Promise.all(tasks)
    expect(limiter.running).to.equal(0)
  })
})
