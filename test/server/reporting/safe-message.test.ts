import { expect } from 'chai'
import { safeMessage } from '../../../server/reporting/safe-message.js'

describe('safeMessage', () => {
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

  it('returns the message of a JavaScript error about the code', () => {
    expect(safeMessage(thrownBy(() => given.none.title))).to.equal(
      "Cannot read properties of null (reading 'title')",
    )
    expect(safeMessage(thrownBy(() => new Date(NaN).toISOString()))).to.equal('Invalid time value')
  })

  it('removes values from the message', () => {
    const error = thrownBy(() => {
      ;(given.name as unknown as { title: string }).title = 'x'
    })
    expect(error.message).to.include('Ana Secret')
    expect(safeMessage(error)).to.equal('Cannot create property … on string …')
  })

  const withheld: Readonly<Record<string, readonly [error: Error, expected: string]>> = {
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
    'no text of invalid JSON': [
      thrownBy(() => JSON.parse('ana@example.org') as unknown),
      'Its message is in the log',
    ],
    'no message of other errors': [new Error('ana@example.org'), 'Its message is in the log'],
    'no code that is an arbitrary text': [
      Object.assign(new Error('x'), { code: 'ana@example.org' }),
      'Its message is in the log',
    ],
  }
  for (const [what, [error, expected]] of Object.entries(withheld))
    it(`returns ${what}`, () => expect(safeMessage(error)).to.equal(expected))

  it('cuts long messages', () => {
    expect(safeMessage(new TypeError('a'.repeat(10_000)))).to.have.length(300)
  })
})
