import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { runQuire } from '../../support/quire-command.js'
import type { folderForEach } from '../../support/temporary-folder.js'
import { openImportTarget, type ImportTarget } from '../import-strapi/killed-import.js'

/** An export into a new folder, from a database that other exports share. */
export type ExportRun = Readonly<{ run: ImportTarget; archive: string }>

/** Imports the sample once. Returns a function that opens an export of it. */
export async function createExports(
  makeFolder: ReturnType<typeof folderForEach>,
): Promise<() => Promise<ExportRun>> {
  const source = await openImportTarget(await makeFolder({}))
  expect((await source.finish()).code).to.equal(0)
  return async () => {
    const folder = await makeFolder({})
    const archive = path.join(folder, 'backup.tar.gz')
    return { run: await openImportTarget(folder, ['export', archive, '--live'], source), archive }
  }
}

/** Checks that no file has the archive's name, and that an import rejects the partial file and changes nothing. */
export async function expectNoArchive(archive: string): Promise<void> {
  const folder = path.dirname(archive)
  expect(await readdir(folder)).not.to.include(path.basename(archive))
  for (const name of await leftBeside(archive)) {
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: path.join(folder, 'into') }
    const cut = path.join(folder, name, 'archive')
    const { code, stderr } = await runQuire(['import', cut], { env, cwd: folder })
    expect(code).to.equal(1)
    expect(stderr).to.match(/is cut off|is not a tar|is damaged or cut off/)
  }
}

/** Lists the folders of unfinished exports beside an archive. */
export async function leftBeside(archive: string): Promise<readonly string[]> {
  const names = await readdir(path.dirname(archive))
  return names.filter((name) => name.startsWith('quire-export-'))
}
