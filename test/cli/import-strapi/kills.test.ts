import { expect } from 'chai'
import { runQuire } from '../../support/quire-command.js'
import { runService } from '../../support/service-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { openImportTarget } from './killed-import.js'

describe('killed import', function () {
  this.timeout(180_000)
  const makeFolder = folderForEach()

  it('prevents a service from starting, and a repair, until the import is repeated', async () => {
    const folder = await makeFolder({})
    const cut = await openImportTarget(folder)
    expect(await cut.killIn('content', 20)).to.be.true
    const { code, stderr } = await runService(cut.env, folder).ended
    expect(code).to.equal(1)
    expect(stderr).to.match(
      /An import into this database was not finished. To continue it, run `.*import-strapi` again/,
    )
    // A repair would remove references to entries that are not imported yet.
    const repaired = await runQuire(['repair'], { env: cut.env, cwd: folder })
    expect(repaired.code).to.equal(1)
    expect(repaired.stderr).to.include('An import into this database was not finished')
  })

  it('has the same result as an uninterrupted import when repeated', async () => {
    const whole = await openImportTarget(await makeFolder({}))
    expect((await whole.finish()).code).to.equal(0)
    const expected = await whole.result()
    expect(expected).to.include.keys('articles', 'articles.draft', 'users', 'upload_files')

    const cut = await openImportTarget(await makeFolder({}))
    expect(await cut.killIn('content', 20)).to.be.true
    expect(await cut.stage()).to.equal('content')
    expect((await cut.finish()).code).to.equal(0)
    expect(await cut.result()).to.deep.equal(expected)
  })
})
