import { expect } from 'chai'
import { takeBackMs } from '../../../server/upload/providers/s3-put.js'
import { removalMs } from '../../../server/upload/unsettled-contents.js'
import { readSettings } from '../../../server/settings/read-settings.js'

describe('The times that files in S3 have', () => {
  it('add up, by default, to less than a write has: beside an S3 that hangs a deletion is told in time', () => {
    const settings = readSettings({}, {}, [])
    const waited = settings['upload.s3.timeoutMs'] + takeBackMs + removalMs
    expect(waited).to.be.below(settings['api.rest.writeTimeoutMs'])
  })
})
