import { expect } from 'chai'
import { openGround } from '../cli/import-strapi/killed-import.js'
import { folderForEach } from '../support/temporary-folder.js'
import { killAgainAndAgain, killAtEach } from './import-kills/killed-at-shares.js'

describe('an import that is killed at ten moments', function () {
  this.timeout(600_000)
  const makeFolder = folderForEach()
  const open = async () => openGround(await makeFolder({}))

  it('leaves, repeated after each, what one leaves that was not killed', async () => {
    expect(await killAtEach(open)).to.include.members([undefined, 'content'])
  })

  it('leaves the same where it was killed ten times, one after the other', () =>
    killAgainAndAgain(open))
})
