import { expect } from 'chai'
import { openImportTarget } from '../cli/import-strapi/killed-import.js'
import { startKillable } from '../cli/import-strapi-v3/killable-import.js'
import { folderForEach } from '../support/temporary-folder.js'
import { killAgainAndAgain, killAtEach, killInEach } from './import-kills/killed-at-shares.js'

const moments = [
  ['staging', 5],
  ['content', 20],
  ['media', 2],
] as const

describe('import from Strapi, killed ten times', function () {
  this.timeout(600_000)
  const makeFolder = folderForEach()
  const open = async () => openImportTarget(await makeFolder({}))

  it('has the same result when repeated after a kill at each of ten moments', async () => {
    expect(await killAtEach(open)).to.include.members([undefined, 'content'])
  })

  it('has the same result after ten kills of the same import', () => killAgainAndAgain(open))

  it('has the same result after a kill in each stage', () => killInEach(open, moments))

  it('has the same result after a kill in each stage of an import from Strapi 3', async () =>
    killInEach(await startKillable(makeFolder), moments))
})
