import { expect } from 'chai'
import { MongoClientClosedError, MongoNetworkError, MongoServerError } from 'mongodb'
import { databaseError, isPassing } from '../../../engine/errors/database-errors.js'

const refused = (code: number, labels: readonly string[] = []): MongoServerError => {
  const error = new MongoServerError({ message: 'of the server', code })
  for (const label of labels) error.addErrorLabel(label)
  return error
}

describe('An error of the database', () => {
  it('is a 503 that may be tried again while another primary is elected, never a 500', () => {
    for (const code of [91, 133, 189, 10058, 10107, 11600, 11602, 13435, 13436])
      expect(databaseError(refused(code)), `${code}`).to.deep.include({
        ...{ status: 503, message: 'The database is electing another primary' },
        headers: { 'Retry-After': '1' },
      })
  })

  it('is a 503 where an index that a query went by is gone', () => {
    expect(databaseError(refused(175))).to.deep.include({
      ...{ status: 503, message: 'The indexes of the database changed meanwhile' },
      headers: { 'Retry-After': '1' },
    })
  })

  it('is a 503 where a transaction could not be finished', () => {
    for (const label of ['TransientTransactionError', 'UnknownTransactionCommitResult'])
      expect(databaseError(refused(251, [label])), label).to.include({
        ...{ status: 503, message: 'The database did not finish the write' },
      })
  })

  it('is a 503 where the majority did not confirm it in time, whatever it says', () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' }
    const answered = { ok: 0, code: 251, errmsg: 'no such transaction', writeConcernError }
    expect(databaseError(new MongoServerError(answered))).to.include({
      ...{ status: 503, message: 'The database took too long' },
    })
  })

  it('passes where an insert of many wraps a lost connection or an election', () => {
    const wrapping = (cause: Error): Error =>
      Object.assign(new MongoServerError({ message: cause.message }), { errorResponse: cause })
    for (const cause of [new MongoNetworkError('connection 1 closed'), refused(10107)]) {
      expect(isPassing(wrapping(cause))).to.equal(true)
      expect(databaseError(wrapping(cause))).to.include({ status: 503 })
    }
    expect(isPassing(wrapping(refused(13)))).to.equal(false)
  })

  it('passes not where the client is closed', () => {
    expect(isPassing(new MongoClientClosedError())).to.equal(false)
  })

  it('is none of the client where it is another', () => {
    for (const error of [refused(2), refused(13), new Error('10107')])
      expect(databaseError(error)).to.equal(undefined)
  })
})
