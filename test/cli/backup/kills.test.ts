import { expect } from 'chai'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { runService } from '../../support/service-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { openImportTarget } from '../import-strapi/killed-import.js'
import { expectNoArchive, leftBeside, createExports } from './killed-export.js'
import { makeBackup } from './make-backup.js'

describe('killed backup', function () {
  this.timeout(240_000)
  const makeFolder = folderForEach()

  it('imports the same content when repeated after a kill, and no service starts before', async () => {
    const args = ['import', await makeBackup(await makeFolder({}))]
    const whole = await openImportTarget(await makeFolder({}), args)
    expect((await whole.finish()).code).to.equal(0)
    const expected = await whole.result()
    expect(expected).to.include.keys('articles', 'articles.draft', '_settings', 'upload_files')
    expect(expected.files).not.to.deep.equal({})

    const folder = await makeFolder({})
    const cut = await openImportTarget(folder, args)
    expect(await cut.killIn('writing', 30)).to.be.true
    expect(await cut.stage()).to.equal('writing')
    const { code, stderr } = await runService(cut.env, folder).ended
    expect(code).to.equal(1)
    expect(stderr).to.match(/An import into this database was not finished/)
    const repaired = await runQuireInProcess(['repair'], { env: cut.env, cwd: folder })
    expect(repaired.code).to.equal(1)
    expect((await cut.finish()).code).to.equal(0)
    expect(await cut.result()).to.deep.equal(expected)
  })

  it('leaves no archive after a killed export, and writes it when repeated', async () => {
    const open = await createExports(makeFolder)
    const whole = await open()
    const { code, sent } = await whole.run.finish()
    expect(code).to.equal(0)
    const { run, archive } = await open()
    expect(await run.killAt(Math.round(sent * 0.4))).to.be.true
    await expectNoArchive(archive)
    expect(await leftBeside(archive)).to.have.length(1)
    expect((await run.finish()).code).to.equal(0)
    expect(await leftBeside(archive)).to.deep.equal([])
  })
})
