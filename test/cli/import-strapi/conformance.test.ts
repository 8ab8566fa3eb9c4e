import { expect } from 'chai'
import { compare, isEqual } from '../../conformance/compare.js'
import { loadCases, loadSeed } from '../../conformance/data.js'
import { loadExpectation } from '../../conformance/expectation.js'
import { newNames } from '../../conformance/placeholders.js'
import type { Answer } from '../../conformance/records.js'
import { runCase } from '../../conformance/run-case.js'
import { learnSeeded } from '../../conformance/seed.js'
import { makeTokens } from '../../conformance/setup.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { sampleExport } from '../../support/sample-export.js'
import { startInProcess } from '../../support/service-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'

describe('imported Strapi export', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  it('gives the expected response to every read of the conformance cases', async () => {
    const folder = await makeFolder({})
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` }
    const { code, stderr } = await runQuireInProcess(['import-strapi', sampleExport], {
      env,
      cwd: folder,
    })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })

    const service = await startInProcess(
      {
        ...env,
        API_REST_WRAP_FILTERED_RELATIONS: 'false',
        API_REST_PUBLIC_DRAFTS: 'true',
        AUTH_RATE_LIMIT_MAX: '100000',
      },
      folder,
    )
    try {
      const base = service.url
      const { tokens } = await makeTokens(base)
      const names = newNames()
      for (const [key, token] of Object.entries(tokens)) names.values[`TOKEN_${key}`] = token
      expect(await learnSeeded(base, tokens, loadSeed(), names)).to.deep.equal([])
      const reads = loadCases().filter(({ phase }) => phase === 'read')
      const answers = new Map<string, Answer>()
      for (const one of reads) answers.set(one.id, await runCase(base, tokens, names, one))
      const verdicts = compare(loadExpectation('strict'), answers, ({ id }) => answers.has(id))
      expect(verdicts).to.have.length.above(500)
      const different = verdicts.filter((verdict) => !isEqual(verdict))
      expect(
        different.map(({ expected, differences }) => [expected.id, differences[0]]),
      ).to.deep.equal([])
    } finally {
      await service.stop()
    }
  })
})
