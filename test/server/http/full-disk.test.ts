import { expect } from 'chai'
import { errorReply } from '../../../server/http/response/error-reply.js'
import { errorBody } from '../../support/error-body.js'

describe('errorReply for a full disk', () => {
  it('returns 503 with outcome unknown', () => {
    for (const code of ['ENOSPC', 'EDQUOT']) {
      const message = 'The storage is full'
      const body = errorBody(503, 'ServiceUnavailableError', message, { outcome: 'unknown' })
      const thrown = Object.assign(new Error('no space left on device, write'), { code })
      expect(errorReply(thrown)).to.deep.equal({
        ...{ status: 503, headers: { 'Retry-After': '10' }, body },
      })
    }
  })
})
