import { assertNoInterference } from '../server/accounts/non-interference/assert.js'
import {
  startTwoServices,
  type TwoServices,
} from '../server/accounts/non-interference/two-services.js'
import { seed as first } from '../support/properties.js'

const seeds = Array.from({ length: 10 }, (_, index) => first + index)

describe('long test of unreadable content', () => {
  let services: TwoServices
  before(async () => {
    services = await startTwoServices()
  })
  after(() => services.stop())

  for (const seed of seeds) {
    it(`does not change any response (SEED=${seed})`, async () => {
      await assertNoInterference(services, { seed, numRuns: 40, requests: 60 })
    })
    it(`does not change any response to a caller who writes (SEED=${seed})`, async () => {
      await assertNoInterference(services, { seed, numRuns: 40, requests: 60, writes: true })
    })
  }
})
