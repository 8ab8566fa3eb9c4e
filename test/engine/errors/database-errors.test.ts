import { expect } from 'chai'
import { MongoClientClosedError, MongoNetworkError, MongoServerError } from 'mongodb'
import { databaseError, isRetryable } from '../../../engine/errors/database-errors.js'

const refused = (code: number, labels: readonly string[] = []): MongoServerError => {
  const error = new MongoServerError({ message: 'of the server', code })
  for (const label of labels) error.addErrorLabel(label)
  return error
}

describe('databaseError', () => {
  it('returns a 503 with Retry-After while a primary is elected', () => {
    for (const code of [91, 133, 189, 10058, 10107, 11600, 11602, 13435, 13436])
      expect(databaseError(refused(code)), `${code}`).to.deep.include({
        ...{ status: 503, message: 'The database is electing another primary' },
        headers: { 'Retry-After': '1' },
      })
  })

  it('returns a 503 with Retry-After if an index of the query was dropped', () => {
    expect(databaseError(refused(175))).to.deep.include({
      ...{ status: 503, message: 'The indexes of the database changed meanwhile' },
      headers: { 'Retry-After': '1' },
    })
  })

  it('returns a 503 if a transaction was not finished', () => {
    for (const label of ['TransientTransactionError', 'UnknownTransactionCommitResult'])
      expect(databaseError(refused(251, [label])), label).to.include({
        ...{ status: 503, message: 'The database did not finish the write' },
      })
  })

  it('returns a 503 if the majority did not confirm the write in time', () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' }
    const answered = { ok: 0, code: 251, errmsg: 'no such transaction', writeConcernError }
    expect(databaseError(new MongoServerError(answered))).to.include({
      ...{ status: 503, message: 'The database took too long' },
    })
  })

  it('returns a 503 if a bulk insert wraps a lost connection or an election', () => {
    const wrapping = (cause: Error): Error =>
      Object.assign(new MongoServerError({ message: cause.message }), { errorResponse: cause })
    for (const cause of [new MongoNetworkError('connection 1 closed'), refused(10107)]) {
      expect(isRetryable(wrapping(cause))).to.equal(true)
      expect(databaseError(wrapping(cause))).to.include({ status: 503 })
    }
    expect(isRetryable(wrapping(refused(13)))).to.equal(false)
  })

  it('does not count a closed client as a passing error', () => {
    expect(isRetryable(new MongoClientClosedError())).to.equal(false)
  })

  it('returns undefined for other errors', () => {
    for (const error of [refused(2), refused(13), new Error('10107')])
      expect(databaseError(error)).to.equal(undefined)
  })
})
