import { expect } from 'chai'
import { withDatabase, withoutProcesses, withProperties } from '../support/test-files.js'

describe('The choice of test files', () => {
  it('takes what starts a process not for npm run test:fast, and a database for the replica set', () => {
    const [fast, onDatabase] = [withoutProcesses(), withDatabase()]
    expect(fast.filter((file) => onDatabase.includes(file))).to.deep.equal([])
    expect(fast).to.include('dist/test/tooling/test-files.test.js')
    // By a helper of the tests, and by a service that it starts.
    const databases = [
      'dist/test/engine/write/values.test.js',
      'dist/test/server/content/writes.test.js',
    ]
    expect(onDatabase).to.include.members(databases)
    // By what it tests, and by itself.
    const processes = [
      'dist/test/server/upload/picture-pool.test.js',
      'dist/test/engine/read/parse/linear-work.test.js',
    ]
    expect([...fast, ...onDatabase]).to.not.include.members(processes)
  })

  it('finds properties in files that tests share', () => {
    expect(withProperties()).to.include.members([
      'dist/test/engine/write/any-writes.test.js',
      'dist/test/engine/values/value-forms.test.js',
    ])
    expect(withProperties()).not.to.include('dist/test/tooling/test-files.test.js')
  })
})
