import { expect } from 'chai'
import { safeMessage } from '../../../server/reporting/safe-message.js'

describe('What is told of an error outside of the service', () => {
  /** What JavaScript says where this is run. */
  const thrownBy = (run: () => unknown): Error => {
    try {
      run()
    } catch (error) {
      return error as Error
    }
    throw new Error('nothing was thrown')
  }
  const given = JSON.parse('{ "none": null, "name": "Ana Secret" }') as {
    none: { title: string }
    name: string
  }

  it('is what JavaScript says of the code', () => {
    expect(safeMessage(thrownBy(() => given.none.title))).to.equal(
      "Cannot read properties of null (reading 'title')",
    )
    expect(safeMessage(thrownBy(() => new Date(NaN).toISOString()))).to.equal('Invalid time value')
  })

  it('is without the values in it', () => {
    const error = thrownBy(() => {
      ;(given.name as unknown as { title: string }).title = 'x'
    })
    expect(error.message).to.include('Ana Secret')
    expect(safeMessage(error)).to.equal('Cannot create property … on string …')
  })

  const withheld: Readonly<Record<string, readonly [error: Error, told: string]>> = {
    'the code of a database': [
      Object.assign(new Error('E11000 dup key: { email: "ana@example.org" }'), {
        ...{ name: 'MongoServerError', code: 11000, codeName: 'DuplicateKey' },
      }),
      '11000 DuplicateKey',
    ],
    'the code of the system': [
      Object.assign(new Error("ENOENT: no such file or directory, open '/home/ana'"), {
        ...{ code: 'ENOENT', syscall: 'open' },
      }),
      'ENOENT open',
    ],
    'the code of a parser': [thrownBy(() => new URL('ana@example.org')), 'ERR_INVALID_URL'],
    'nothing of a text that is no JSON': [
      thrownBy(() => JSON.parse('ana@example.org') as unknown),
      'Its message is in the log',
    ],
    'nothing of what somebody threw': [new Error('ana@example.org'), 'Its message is in the log'],
    'no code that is a text': [
      Object.assign(new Error('x'), { code: 'ana@example.org' }),
      'Its message is in the log',
    ],
  }
  for (const [what, [error, told]] of Object.entries(withheld))
    it(`is ${what}`, () => expect(safeMessage(error)).to.equal(told))

  it('is short', () => {
    expect(safeMessage(new TypeError('a'.repeat(10_000)))).to.have.length(300)
  })
})
