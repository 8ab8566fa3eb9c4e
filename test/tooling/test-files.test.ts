import { expect } from 'chai'
import { withDatabase, withoutProcesses, withProperties } from '../support/test-files.js'

describe('selection of test files', () => {
  it('excludes tests that start processes from test:fast, and keeps database tests for the replica set', () => {
    const [fast, onDatabase] = [withoutProcesses(), withDatabase()]
    expect(fast.filter((file) => onDatabase.includes(file))).to.deep.equal([])
    expect(fast).to.include('dist/test/tooling/test-files.test.js')
    // The first file uses the database through a test helper, the second through a service that it starts.
    const databases = [
      'dist/test/engine/write/values.test.js',
      'dist/test/server/content/writes.test.js',
    ]
    expect(onDatabase).to.include.members(databases)
    // The first file starts a process through the code under test, the second directly, and the third a service on the
    // embedded engine.
    const processes = [
      'dist/test/server/upload/picture-pool.test.js',
      'dist/test/engine/read/parse/linear-work.test.js',
      'dist/test/server/backup/held-writes.test.js',
    ]
    expect([...fast, ...onDatabase].filter((file) => processes.includes(file))).to.deep.equal([])
  })

  it('finds properties in files that tests import', () => {
    expect(withProperties()).to.include.members([
      'dist/test/engine/write/any-writes.test.js',
      'dist/test/engine/values/value-forms.test.js',
    ])
    expect(withProperties()).not.to.include('dist/test/tooling/test-files.test.js')
  })
})
