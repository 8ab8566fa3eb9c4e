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

describe('An answer that took long to be read', () => {
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
  /** Reads tags as anybody does, with reads of 50 ms or more. */
  const reader = (more: Partial<Settings>) => {
    const { services } = magazine.app.quire
    const { db } = services
    const really = inlineExecutor(db)
    let reads = 0
    const run: Executor['run'] = async (...asked) => {
      reads += 1
      const found = await really.run(...asked)
      await sleep(50)
      return found
    }
    const versions = versionsOf(db.client)
    if (versions === undefined) throw new Error('The client has no versions')
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
    const asked = { search: '', grant: fullGrant, envelope: 'content', isForAnybody: true } as const
    return {
      isKept: async () => (await documents.find(type, asked)).cachePolicy !== undefined,
      reads: () => reads,
    }
  }
  const late = { 'http.cache.purgeAgainMs': purgeMarginMs + 1 }

  it('may be kept by no cache that was purged for the last time meanwhile', async () => {
    expect(await reader(late).isKept()).to.equal(false)
    expect(await reader({ 'http.cache.purgeAgainMs': 600_000 }).isKept()).to.equal(true)
  })

  it('may be kept if nothing is purged', async () => {
    expect(await reader({ ...late, 'http.cache.purgeUrl': '' }).isKept()).to.equal(true)
  })

  it('may be kept when it is asked for again and was not changed since', async () => {
    const { isKept, reads } = reader(late)
    expect([await isKept(), await isKept(), reads()]).to.deep.equal([false, true, 1])
  })
})
