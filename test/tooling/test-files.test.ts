import { expect } from 'chai'
import { withoutProcesses, withProcesses, withProperties } from '../support/test-files.js'

describe('The choice of test files', () => {
  it('takes each for npm run test:fast or for the replica set', () => {
    const [fast, others] = [withoutProcesses(), withProcesses()]
    expect(fast.filter((file) => others.includes(file))).to.deep.equal([])
    expect(fast).to.include('dist/test/tooling/test-files.test.js')
    // By a helper of the tests, by what it tests, and by itself.
    expect(others).to.include.members([
      'dist/test/engine/write/values.test.js',
      'dist/test/server/upload/picture-pool.test.js',
      'dist/test/engine/read/query/linear-work.test.js',
    ])
  })

  it('finds properties in files that tests share', () => {
    expect(withProperties()).to.include.members([
      'dist/test/engine/write/any-writes.test.js',
      'dist/test/engine/values/value-forms.test.js',
    ])
    expect(withProperties()).not.to.include('dist/test/tooling/test-files.test.js')
  })
})
