import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { buffer } from 'node:stream/consumers'
import { uploadedFiles } from '../../../cli/import-strapi-v3/uploaded-files.js'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { idOf, makeFormer } from './make-former.js'
import { storeAll } from './sample.js'

describe('uploads of Strapi 3', () => {
  const makeFolder = folderForEach()

  it('fail only when their content is read', async () => {
    const folder = await makeFolder({ 'a.txt': 'a', 'b.txt': 'b' })
    const contents: string[] = []
    for await (const { name, content } of uploadedFiles(folder)) {
      if (name.endsWith('a.txt')) await rm(`${folder}/a.txt`)
      // Let time pass before the content is read: a real import reads from the database first.
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      contents.push(
        await buffer(content).then(String, (error: unknown) => String(error).slice(0, 13)),
      )
    }
    expect(contents).to.deep.equal(['Error: ENOENT', 'b'])
  })

  it('are reported by provider and URL if their content is stored elsewhere', async () => {
    const file = (number: number, provider: string, base: string) => {
      const [hash, ext, mime] = [`photo_${number}`, '.png', 'image/png']
      const url = `${base}/${hash}${ext}`
      const version = { hash: `small_${hash}`, ext, mime, url: `${base}/small_${hash}${ext}` }
      return {
        ...{ _id: idOf(number), name: hash, hash, ext, mime, size: 1, provider, url },
        formats: number === 1 ? { small: version } : null,
      }
    }
    const note = { collectionName: 'notes', info: { name: 'Note' }, options: {}, attributes: {} }
    const s3 = 'https://bucket.s3.amazonaws.com'
    const stored = makeFormer(
      { 'application::note.note': note },
      {
        upload_file: [
          file(1, 'aws-s3', s3),
          file(2, 'cloudinary', 'http://res.cloudinary.com/x'),
          file(3, 'aws-s3', s3),
          file(4, 'local', '/uploads'),
        ],
      },
    )
    const folder = await makeFolder({ 'uploads/photo_3.png': 'png' })
    const old = await testDatabaseUri()
    await storeAll(old, stored)
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data`, OLD: old }
    const args = ['import-strapi-v3', 'env:OLD', '--uploads', 'uploads', '--json']
    const { code, stdout, stderr } = await runQuireInProcess(args, { env, cwd: folder })
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
    const missing = 'content of files that is not in the archive'
    const { leftOut, adapted } = JSON.parse(stdout) as ImportReport
    expect(leftOut).to.have.deep.members([{ what: missing, count: 1, examples: ['photo_4.png'] }])
    expect(adapted).to.include.deep.members([
      {
        what: `${missing} and stays with the provider "aws-s3"`,
        count: 2,
        examples: [
          `photo_1.png at ${s3}/photo_1.png`,
          `small_photo_1.png at ${s3}/small_photo_1.png`,
        ],
      },
      {
        what: `${missing} and stays with the provider "cloudinary"`,
        count: 1,
        examples: ['photo_2.png at http://res.cloudinary.com/x/photo_2.png'],
      },
    ])
  }).timeout(60_000)
})
