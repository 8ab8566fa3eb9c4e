import { expect } from 'chai'
import { testDatabaseUri } from '../support/database.js'
import { runQuire } from '../support/quire-command.js'
import { folderForEach } from '../support/temporary-folder.js'
import { expectNoArchive, createExports } from '../cli/backup/killed-export.js'
import { makeBackup } from '../cli/backup/make-backup.js'
import { openImportTarget } from '../cli/import-strapi/killed-import.js'
import { killAgainAndAgain, killAtEach, killInEach } from './import-kills/killed-at-shares.js'

describe('import or export of a backup, killed ten times', function () {
  this.timeout(900_000)
  const makeFolder = folderForEach()
  const imports = async () => {
    const args = ['import', await makeBackup(await makeFolder({}))]
    return async () => openImportTarget(await makeFolder({}), args)
  }

  it('imports the same content when repeated after a kill at each of ten moments', async () => {
    expect(await killAtEach(await imports())).to.include('writing')
  })

  it('imports the same content after ten kills of the same import', async () =>
    killAgainAndAgain(await imports()))

  it('imports the same content after a kill in each stage', async () =>
    killInEach(await imports(), [
      ['clearing', 5],
      ['writing', 30],
      // The stage `writing` imports files last, so files are being imported when it sends its 60th command.
      ['writing', 60],
      ['finishing', 1],
    ]))

  it('leaves no archive after a killed export, and writes a complete one when repeated', async () => {
    const open = await createExports(makeFolder)
    const { sent } = await (await open()).run.finish()
    for (let at = 1; at <= 10; at += 1) {
      const { run, archive } = await open()
      expect(await run.killAt(Math.round((sent * at) / 11)), `killed at ${at} of 11`).to.be.true
      await expectNoArchive(archive)
      expect((await run.finish()).code).to.equal(0)
      const cwd = await makeFolder({})
      const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${cwd}/data` }
      const { code, stderr } = await runQuire(['import', archive], { env, cwd })
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    }
  })
})
