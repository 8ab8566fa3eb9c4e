import { expect } from 'chai'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { openImportTarget } from '../import-strapi/killed-import.js'

/** Imports the Strapi sample and exports the result. Returns the path of the archive. */
export async function makeBackup(folder: string): Promise<string> {
  const source = await openImportTarget(folder)
  expect((await source.finish()).code).to.equal(0)
  const archive = `${folder}/backup.tar.gz`
  const { code, stderr } = await runQuireInProcess(['export', archive, '--live', '--secrets'], {
    env: source.env,
    cwd: folder,
  })
  expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
  return archive
}
