import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { ImportReport } from '../../../cli/import-strapi/report.js'
import { testDatabaseUri } from '../../support/database.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeExport } from './make-export.js'

const at = '2026-01-01T00:00:00.000Z'
const file = (id: number, data: object) => ({
  ...{ type: 'plugin::upload.file', id },
  data: {
    documentId: String.fromCharCode(96 + id).repeat(24),
    ...{ createdAt: at, updatedAt: at, publishedAt: at, locale: null },
    ...{
      name: `file ${id}`,
      mime: 'image/png',
      ext: '.png',
      size: 1,
      url: '/x',
      provider: 'local',
    },
    ...data,
  },
})

describe('content of imported files', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()

  const importFiles = async (files: Parameters<typeof makeExport>[1]) => {
    const folder = await makeFolder({})
    const archive = await makeExport(`${folder}/export.tar.gz`, files)
    const env = { MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` }
    const { code, stdout, stderr } = await runQuireInProcess(['import-strapi', archive, '--json'], {
      ...{ env, cwd: folder },
    })
    expect(code, stderr).to.equal(0)
    const client = new MongoClient(env.MONGODB_URI)
    try {
      const rows = await client.db().collection('upload_files').find().sort({ _id: 1 }).toArray()
      const names = await readdir(`${folder}/data/uploads`)
      const stored = new Map<string, string>()
      for (const name of names.filter((one) => !one.startsWith('.')).sort())
        stored.set(name, await readFile(`${folder}/data/uploads/${name}`, 'utf8'))
      return { rows, stored, report: JSON.parse(stdout) as ImportReport }
    } finally {
      await client.close()
    }
  }
  const summaries = (notes: ImportReport['adapted']): readonly string[] =>
    notes.map(({ what, count }) => `${count} ${what}`)

  it('is stored separately for each file, even if two share a name', async () => {
    const formats = { small: { hash: 'small_cat', ext: '.png', mime: 'image/png', width: 1 } }
    const { rows, stored, report } = await importFiles({
      'entities/e.jsonl': [
        file(1, { hash: 'cat', formats }),
        // Rows 1 and 2 share the same content in the archive.
        file(2, { hash: 'cat', formats }),
        // These names are different in the archive, but would be equal when stored.
        file(3, { hash: 'a b' }),
        file(4, { hash: 'a_b' }),
        file(5, { hash: 'a  b' }),
        // This hash is the new name that the import would give to row 2.
        file(6, { hash: 'cat_2' }),
      ],
      'assets/uploads/cat.png': 'a cat',
      'assets/uploads/small_cat.png': 'small',
      'assets/uploads/a b.png': 'one space',
      'assets/uploads/a_b.png': 'none',
      'assets/uploads/a  b.png': 'two spaces',
      'assets/uploads/cat_2.png': 'another cat',
    })
    const contents = rows.map(({ hash, ext }) => stored.get(`${String(hash)}${String(ext)}`))
    expect(contents).to.deep.equal([
      ...['a cat', 'a cat', 'one space', 'none', 'two spaces', 'another cat'],
    ])
    const smaller = rows.flatMap(({ formats }) => {
      const { small } = (formats ?? {}) as { small?: { hash: string; url: string } }
      return small === undefined ? [] : [small]
    })
    expect(smaller.map(({ hash }) => stored.get(`${hash}.png`))).to.deep.equal(['small', 'small'])
    expect(smaller.map(({ hash, url }) => url === `/uploads/${hash}.png`)).to.deep.equal([
      true,
      true,
    ])
    // Eight contents: no two files share one.
    expect(stored.size).to.equal(8)
    expect(summaries(report.adapted)).to.include(
      '4 files whose stored name another file already has, which get a copy with another name',
    )
  })

  it('is left out for formats of a type in upload.deniedTypes', async () => {
    const { rows, stored, report } = await importFiles({
      'entities/e.jsonl': [
        file(1, {
          hash: 'dog',
          formats: {
            small: { hash: 'small_dog', ext: '.png', mime: 'image/png' },
            // `large` is denied because of its extension, `medium` because of its type.
            large: { hash: 'large_dog', ext: '.svg', mime: 'image/png' },
            medium: { hash: 'medium_dog', ext: '.png', mime: 'image/svg+xml' },
          },
        }),
      ],
      'assets/uploads/dog.png': 'dog',
      'assets/uploads/small_dog.png': 'small',
      'assets/uploads/large_dog.svg': '<svg onload="alert(1)"/>',
      'assets/uploads/medium_dog.png': '<svg/>',
    })
    expect(Object.keys(rows[0]?.['formats'] as object)).to.deep.equal(['small'])
    expect([...stored.keys()]).to.deep.equal(['dog.png', 'small_dog.png'])
    expect(summaries(report.leftOut)).to.include.members([
      '2 smaller versions of a type that upload.deniedTypes refuses (image/svg+xml)',
      '2 files in the archive without a record',
    ])
  })
})
