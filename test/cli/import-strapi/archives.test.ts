import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { openArchive } from '../../../cli/import-strapi/archive/open-archive.js'
import { maxLineBytes } from '../../../server/backup/archive/read-lines.js'
import { createNotes } from '../../../cli/import-strapi/notes.js'
import { readOverview } from '../../../cli/import-strapi/export-overview.js'
import { sampleExport } from '../../support/sample-export.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeExport, makeTar, rewriteSample } from './make-export.js'

describe('Strapi archive', () => {
  const makeFolder = folderForEach()

  const read = async (file: string, key?: string) => {
    const notes = createNotes()
    const overview = await readOverview(await openArchive(file, key), notes)
    return { ...overview, notes: notes.list() }
  }
  const failure = async (file: string, key?: string): Promise<string> =>
    read(file, key).then(
      () => 'was read',
      (error: unknown) => String(error),
    )

  const key = 'a key of some length'
  for (const [form, isPacked, salt] of [
    ['plain', false, undefined],
    ['compressed', true, undefined],
    ['encrypted', false, ''],
    ['compressed and encrypted', true, ''],
    ['encrypted with the salt of some versions', true, 'strapi-data-transfer'],
    ['encrypted with a salt of its own', true, randomBytes(16)],
  ] as const)
    it(`can be read if ${form}`, async () => {
      const folder = await makeFolder({})
      const encrypted = salt === undefined ? {} : { encrypted: { key, salt } }
      // The file name has no extension, because the format is recognized without it.
      const file = await rewriteSample(`${folder}/export`, { isPacked, ...encrypted })
      const found = await read(file, salt === undefined ? undefined : key)
      expect(found).to.deep.include({ strapiVersion: '5.54.0', links: 248 })
      expect(found.assets).to.deep.equal({ files: 7, bytes: 243449 })
      expect(found.rows.get('api::article.article')).to.equal(44)
      const content = await readFile(file)
      expect(found.id).to.equal(createHash('sha256').update(content).digest('hex'))
      if (salt === undefined) return
      expect(await failure(file)).to.match(/give the key of the export/)
      expect(await failure(file, 'another key')).to.match(/the key \(--key\) is wrong/)
    })

  it('is refused if it is cut off, not an archive, or of another version', async () => {
    const folder = await makeFolder({})
    const whole = await readFile(sampleExport)
    const cut = `${folder}/cut.tar.gz`
    await writeFile(cut, whole.subarray(0, whole.length / 2))
    expect(await failure(cut)).to.match(/cut.tar.gz is damaged or cut off/)
    await writeFile(cut, 'no archive at all')
    expect(await failure(cut)).to.match(/is not a tar/)
    expect(await failure(`${folder}/missing`)).to.equal(
      `ArchiveError: ${folder}/missing cannot be read: there is no such file or folder`,
    )
    const other = JSON.stringify({ createdAt: '2023-01-01', strapi: { version: '4.25.1' } })
    const four = await makeExport(`${folder}/four.tar.gz`, { 'metadata.json': other })
    expect(await failure(four)).to.match(/Strapi 4.25.1. Upgrade the project to Strapi 5 first/)
    const none = await makeExport(`${folder}/none.tar.gz`, { 'metadata.json': '{}' })
    expect(await failure(none)).to.match(/The archive is incomplete/)
  })

  it('is distinguished from an archive of `quire export`', async () => {
    const folder = await makeFolder({})
    const refusal =
      'ArchiveError: This is an archive of `quire export`: import it with `npm run import`'
    const backup = await makeTar(`${folder}/backup.tar.gz`, {
      'manifest.json': '{}',
      'end.json': '{}',
    })
    expect(await failure(backup)).to.equal(refusal)
    const zstd = `${folder}/backup.tar.zst`
    await writeFile(zstd, Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))
    expect(await failure(zstd)).to.equal(refusal)
  })

  it('is refused if a line is too long, nested too deep, or not JSON', async () => {
    const folder = await makeFolder({})
    const long = { type: 'api::a.a', id: 1, data: { text: 'x'.repeat(maxLineBytes) } }
    const file = await makeExport(`${folder}/long.tar.gz`, { 'entities/e.jsonl': [long] })
    expect(await failure(file)).to.match(/entities\/e.jsonl:1 has more than/)
    await makeExport(file, { 'links/l.jsonl': '{}\n{"kind"\n' })
    expect(await failure(file)).to.match(/links\/l.jsonl:2 is not JSON/)
    await makeExport(file, { 'links/l.jsonl': `{}\n${'['.repeat(1_000_000)}\n` })
    expect(await failure(file)).to.match(/links\/l.jsonl:2: The JSON is nested deeper than 200 /)
    await makeExport(file, { 'metadata.json': '['.repeat(14_000_000) })
    expect(await failure(file)).to.match(/metadata.json: The JSON is nested deeper than 200 levels/)
  })

  it('has files with unsafe or unknown names ignored and reported', async () => {
    const folder = await makeFolder({})
    const file = await makeExport(`${folder}/names.tar.gz`, {
      'assets/uploads/../../etc/passwd': 'x',
      '/etc/passwd': 'x',
      'assets/uploads/deep/a.png': 'x',
      'entities/../../e.jsonl': 'no JSON',
      './assets/uploads/a.png': 'x',
    })
    const { assets, notes } = await read(file)
    expect(assets).to.deep.equal({ files: 1, bytes: 1 })
    expect(notes).to.have.length(1)
    expect(notes[0]).to.include({ kind: 'left-out', count: 4 })
  })
})
