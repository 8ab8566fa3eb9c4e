import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { versionsOf } from '../../../engine/database/collection-versions.js'
import type { Executor } from '../../../engine/read.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { createAnswerMemory } from '../../../server/content/answer-memory.js'
import { createDocuments } from '../../../server/content/create-documents.js'
import { purgeMarginMs } from '../../../server/settings/http-cache-settings.js'
import type { Settings } from '../../../server/settings/settings.js'
import { inlineExecutor } from '../../../workers/executor.js'
import { purgeSecret } from '../../support/purge-server.js'
import { startMagazine, type Magazine } from './magazine.js'

describe('cache policy of a slow response', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())

  const purged: Partial<Settings> = {
    'http.cache.shared': 3600,
    'http.cache.purgeUrl': 'http://localhost/purge',
    'http.cache.purgeSecret': purgeSecret,
  }
  /** Returns functions to read tags as a caller without credentials. Each read takes at least 50 ms. */
  const reader = (more: Partial<Settings>) => {
    const { services } = magazine.app.quire
    const { db } = services
    const really = inlineExecutor(db)
    let reads = 0
    const run: Executor['run'] = async (...args) => {
      reads += 1
      const found = await really.run(...args)
      await sleep(50)
      return found
    }
    const versions = versionsOf(db.client)
    const documents = createDocuments({
      ...services,
      settings: { ...services.settings, ...purged, ...more },
      executor: { ...really, run },
      answers: createAnswerMemory({
        maxBytes: 100_000,
        versions,
        waitTimeoutMs: 60_000,
        isExact: () => true,
      }),
      exactMetadata: false,
    })
    const type = typeOf(services.registry(), 'api::tag.tag')
    const request = {
      search: '',
      grant: fullGrant,
      envelope: 'content',
      isForAnybody: true,
    } as const
    return {
      isCacheable: async () => (await documents.find(type, request)).cachePolicy !== undefined,
      reads: () => reads,
    }
  }
  const late = { 'http.cache.purgeAgainMs': purgeMarginMs + 1 }

  it('forbids caching if the last purge may have happened during the read', async () => {
    expect(await reader(late).isCacheable()).to.equal(false)
    expect(await reader({ 'http.cache.purgeAgainMs': 600_000 }).isCacheable()).to.equal(true)
  })

  it('allows caching if nothing is purged', async () => {
    expect(await reader({ ...late, 'http.cache.purgeUrl': '' }).isCacheable()).to.equal(true)
  })

  it('allows caching when the unchanged response is requested again', async () => {
    const { isCacheable, reads } = reader(late)
    expect([await isCacheable(), await isCacheable(), reads()]).to.deep.equal([false, true, 1])
  })
})
