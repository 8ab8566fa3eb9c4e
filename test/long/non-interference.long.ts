import { assertNoInterference } from '../server/accounts/non-interference/assert.js'
import {
  startTwoServices,
  type TwoServices,
} from '../server/accounts/non-interference/two-services.js'
import { seed as first } from '../support/properties.js'

const seeds = Array.from({ length: 10 }, (_, index) => first + index)

describe('What a caller may not read, at length', () => {
  let services: TwoServices
  before(async () => {
    services = await startTwoServices()
  })
  after(() => services.stop())

  for (const seed of seeds) {
    it(`changes no answer (SEED=${seed})`, async () => {
      await assertNoInterference(services, { seed, numRuns: 40, requests: 60 })
    })
    it(`changes no answer to a caller who writes (SEED=${seed})`, async () => {
      await assertNoInterference(services, { seed, numRuns: 40, requests: 60, writes: true })
    })
  }
})
