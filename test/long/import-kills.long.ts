import { expect } from 'chai'
import { openGround } from '../cli/import-strapi/killed-import.js'
import { startKillable } from '../cli/import-strapi-v3/killable-import.js'
import { folderForEach } from '../support/temporary-folder.js'
import { killAgainAndAgain, killAtEach, killInEach } from './import-kills/killed-at-shares.js'

const moments = [
  ['staging', 5],
  ['content', 20],
  ['media', 2],
] as const

describe('an import that is killed at ten moments', function () {
  this.timeout(600_000)
  const makeFolder = folderForEach()
  const open = async () => openGround(await makeFolder({}))

  it('leaves, repeated after each, what one leaves that was not killed', async () => {
    expect(await killAtEach(open)).to.include.members([undefined, 'content'])
  })

  it('leaves the same where it was killed ten times, one after the other', () =>
    killAgainAndAgain(open))

  it('leaves the same where it was killed in any of its stages', () => killInEach(open, moments))

  it('leaves the same where it was killed in any of its stages and is one of a Strapi 3', async () =>
    killInEach(await startKillable(makeFolder), moments))
})
