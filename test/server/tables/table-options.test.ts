import { expect } from 'chai'
import type { ApiError } from '../../../engine/errors.js'
import { readTableOptions } from '../../../server/tables/table-options.js'

describe('readTableOptions', () => {
  it('rejects a wrong parameter by name, and suggests a known one', () => {
    const detailsOf = (search: string, purpose: 'export' | 'import' = 'import'): unknown => {
      try {
        return readTableOptions(search, purpose)
      } catch (error) {
        return (error as ApiError).details
      }
    }
    const source = 'query'
    expect(detailsOf('?dryrun=true')).to.deep.equal({
      ...{ key: 'dryrun', path: null, source, param: 'dryrun', suggestion: 'dryRun' },
    })
    const wrong = { source, param: 'format', suggestion: 'csv' }
    expect(detailsOf('?format=cvs')).to.deep.equal(wrong)
    expect(detailsOf('?from=0')).to.deep.equal({ source, param: 'from' })
    expect(detailsOf('?by=author', 'export')).to.deep.equal({ source, param: 'by' })
  })
})
