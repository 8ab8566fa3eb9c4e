import { expect } from 'chai'
import { takeBackMs } from '../../../server/upload/providers/s3-put.js'
import { removalMs } from '../../../server/upload/pending-contents.js'
import { readSettings } from '../../../server/settings/read-settings.js'

describe('default S3 timeouts', () => {
  it('add up to less than api.rest.writeTimeoutMs, so that a deletion responds in time even if S3 hangs', () => {
    const settings = readSettings({}, {}, [])
    const waited = settings['upload.s3.timeoutMs'] + takeBackMs + removalMs
    expect(waited).to.be.below(settings['api.rest.writeTimeoutMs'])
  })
})
