import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { BSON, Double, Int32, Long, ObjectId } from 'mongodb'
import { textLinesOf } from '../../../server/backup/archive/read-lines.js'
import {
  documentOfLine,
  lineOfDocument,
  maxDocumentLine,
} from '../../../server/backup/document-lines.js'
import { writtenManifest, type Manifest } from '../../../server/backup/manifest.js'
import { memberNames } from '../../../server/backup/members.js'
import { readArchive } from '../../../server/backup/read-archive.js'
import { createTar } from '../../../server/backup/archive/write-tar.js'
import { createArchive } from '../../../server/backup/write-archive.js'
import { sampleExport } from '../../support/sample-export.js'
import { folderForEach } from '../../support/temporary-folder.js'
import { makeTar } from '../import-strapi/make-export.js'

describe('backup archive', function () {
  this.timeout(60_000)
  const makeFolder = folderForEach()

  const manifest: Manifest = {
    ...{ quire: '1.0.0', exportedAt: '2026-01-01T00:00:00.000Z' },
    ...{ moment: 'alone', unfinished: false, secrets: false },
    asked: { only: [], exclude: [] },
  }
  const uid = 'api::article.article'

  async function* linesOf(texts: readonly string[]) {
    for (const text of texts) yield await Promise.resolve(text)
  }

  const nothingElse = { missing: { count: 0, names: [] }, tokens: 0, tokensAreLost: false }
  const write = async (file: string, texts: readonly string[], files = 1): Promise<void> => {
    const tar = await createTar(file)
    const archive = await createArchive(tar, manifest)
    const nameOf = memberNames.entries(uid, 'published')
    const published = await archive.lines(nameOf, linesOf(texts))
    for (let number = 1; number <= files; number += 1)
      await archive.file(memberNames.file(`a${number}.png`), 3, Readable.from([Buffer.from('abc')]))
    await archive.end({
      entries: { [uid]: { published, drafts: 0 } },
      files: { count: files, bytes: 3 * files },
      ...nothingElse,
    })
    await tar.finish()
  }
  const read = async (file: string): Promise<readonly string[]> => {
    const found: string[] = []
    await readArchive(file, async ({ member, file: content }) => {
      if (member.kind === 'entries')
        for await (const { text } of textLinesOf(content)) found.push(text)
      else found.push(content.name)
    })
    return found
  }
  const failure = (file: string): Promise<string> =>
    read(file).then(
      () => 'was read',
      (error: unknown) => String(error),
    )

  it('contains what was written, compressed or not, and is readable only by its owner', async () => {
    const folder = await makeFolder({})
    const texts = ['{"a":1}', '{"a":2}']
    for (const name of ['a.tar', 'a.tar.gz', 'a.tgz', ...zstdNames]) {
      const file = `${folder}/${name}`
      await write(file, texts, 1500)
      const found = await read(file)
      expect(found.slice(0, 3)).to.deep.equal([...texts, 'files/a1.png'])
      expect(found).to.have.length(1502)
      expect((await stat(file)).mode & 0o777).to.equal(0o600)
    }
    await write(`${folder}/none.tar`, [], 0)
    expect(await read(`${folder}/none.tar`)).to.deep.equal([])
  })

  it('never overwrites a file, and its name must end with a known format', async () => {
    const folder = await makeFolder({ 'there.tar': 'x' })
    const writing = (file: string) =>
      write(file, []).then(
        () => 'was written',
        (error: unknown) => String(error),
      )
    expect(await writing(`${folder}/there.tar`)).to.match(/there.tar already exists/)
    expect(await readFile(`${folder}/there.tar`, 'utf8')).to.equal('x')
    expect(await writing(`${folder}/a.zip`)).to.match(/must end in .tar/)
    expect(await writing(`${folder}/missing/a.tar`)).to.equal(
      `ArchiveError: ${folder}/missing/a.tar cannot be written: there is no folder ${folder}/missing`,
    )
    if (zstdNames.length === 0)
      expect(await writing(`${folder}/a.tar.zst`)).to.match(/Node does not support Zstandard/)
  })

  it('is distinguished from an archive of `strapi export`', async () => {
    const folder = await makeFolder({ 'export.tar.gz.enc': 'encrypted' })
    const outcome =
      'ArchiveError: This is an archive of `strapi export`: import it with `npm run import-strapi`'
    for (const file of [sampleExport, `${folder}/export.tar.gz.enc`])
      expect(await failure(file)).to.equal(outcome)
  })

  it('belongs to the first of two writers that finishes, and the second is refused', async () => {
    const folder = await makeFolder({})
    const file = `${folder}/a.tar`
    const tars = { first: await createTar(file), second: await createTar(file) }
    const first = await createArchive(tars.first, manifest)
    const second = await createArchive(tars.second, manifest)
    const nameOf = memberNames.entries(uid, 'published')
    const end = {
      entries: { [uid]: { published: 1, drafts: 0 } },
      files: { count: 0, bytes: 0 },
      ...nothingElse,
    }
    await second.lines(nameOf, linesOf(['{"of":"second"}']))
    await first.lines(nameOf, linesOf(['{"of":"first"}']))
    await first.end(end)
    await tars.first.finish()
    await second.end(end)
    const refused = await tars.second.finish().catch(String)
    expect(refused).to.match(/a.tar already exists/)
    await tars.second.discard()
    expect(await read(file)).to.deep.equal(['{"of":"first"}'])
    expect(await readdir(folder)).to.deep.equal(['a.tar'])
  })

  it('is refused if it is cut off at any point', async () => {
    const folder = await makeFolder({})
    for (const name of ['a.tar', 'a.tar.gz', ...zstdNames]) {
      await write(`${folder}/${name}`, ['{"a":1}'], 3)
      const whole = await readFile(`${folder}/${name}`)
      const step = Math.ceil(whole.length / 40)
      // After the last member, a tar contains only zeros.
      const last = name === 'a.tar' ? whole.length - 1024 : whole.length
      for (let length = 0; length < last; length += step) {
        await writeFile(`${folder}/cut`, whole.subarray(0, length))
        const outcome = await failure(`${folder}/cut`)
        // Node accepts a Zstandard frame without its end. If the archive is accepted, only that end may be missing.
        if (outcome === 'was read' && name.endsWith('.zst'))
          expect(await read(`${folder}/cut`)).to.deep.equal(await read(`${folder}/${name}`))
        else
          expect(outcome, `${name} to ${length}`).to.match(
            /is cut off|is not a \.tar|is damaged or cut off/,
          )
      }
    }
  })

  it('is refused if one of its bytes was changed', async () => {
    const folder = await makeFolder({})
    await write(`${folder}/a.tar`, ['{"a":1}'], 2)
    const whole = await readFile(`${folder}/a.tar`)
    const change = async (text: string, by: string): Promise<string> => {
      const bytes = Buffer.from(whole)
      const at = bytes.indexOf(text)
      expect(at).to.be.above(0)
      bytes.write(by, at)
      await writeFile(`${folder}/changed.tar`, bytes)
      return failure(`${folder}/changed.tar`)
    }
    expect(await change('{"a":1}', '{"a":2}')).to.match(
      /entries\/api::article.article\/published\/00001.jsonl is damaged/,
    )
    expect(await change('abc', 'abd')).to.match(/files\/a1.png is damaged/)
    expect(await change('"alone"', '"live" ')).to.match(/manifest.json is damaged/)
    expect(await change('"members": 4', '"members": 3')).to.match(
      /content does not match the count/,
    )
    expect(await change('"sha256":"', '"sha256":"!')).to.match(/is damaged/)
  })

  it('is refused if it has unknown or unsafe paths, too long lines or no checksums', async () => {
    const folder = await makeFolder({})
    const file = `${folder}/hostile.tar.gz`
    const first = { 'manifest.json': JSON.stringify(writtenManifest(manifest)) }
    for (const name of [
      'files/../../etc/passwd',
      '/etc/passwd',
      'files/.quire-uploads',
      'files/deep/a.png',
      'entries/api::a.a/../draft/00001.jsonl',
      'own/instances/00001.jsonl',
      'entries/_settings/published/00001.jsonl',
    ]) {
      await makeTar(file, { ...first, [name]: 'x' })
      expect(await failure(file), name).to.match(/contains an unknown file/)
    }
    await makeTar(file, { 'files/a.png': 'x', ...first })
    expect(await failure(file)).to.match(/does not begin with a manifest/)
    await makeTar(file, { 'manifest.json': '{}' })
    expect(await failure(file)).to.match(/not from quire export/)
    await makeTar(file, {
      'manifest.json': JSON.stringify({ format: 'quire-backup', version: 2 }),
    })
    expect(await failure(file)).to.match(/has version 2, but this version of Quire reads only 1/)
    const long = `${'x'.repeat(maxDocumentLine)}y`
    await makeTar(file, { ...first, 'entries/api::a.a/published/00001.jsonl': long })
    expect(await failure(file)).to.match(/00001.jsonl:1 has more than \d+ bytes/)
    const many = Object.fromEntries(
      Array.from({ length: 1100 }, (_, at) => [`files/a${at}.png`, 'x']),
    )
    await makeTar(file, { ...first, ...many })
    expect(await failure(file)).to.match(/checksums are missing/)
  })

  it('has storage format 3, and is refused with any other', async () => {
    const written = writtenManifest(manifest)
    expect(written).to.include({ storageFormat: 3 })
    const file = `${await makeFolder({})}/other.tar`
    for (const storageFormat of [1, 2, 4, '3']) {
      await makeTar(file, { 'manifest.json': JSON.stringify({ ...written, storageFormat }) })
      expect(await failure(file)).to.equal(
        `ArchiveError: The archive of Quire 1.0.0 has storage format ${JSON.stringify(storageFormat)}, but this version of Quire reads only 3`,
      )
    }
  })

  it('restores every kind of document byte for byte', () => {
    for (const document of [
      { _id: 1, a: new Int32(1), b: new Double(1), c: Long.fromNumber(1), d: new Double(-0) },
      {
        _id: new ObjectId(),
        at: new Date(-1),
        far: new Date(8.64e15),
        none: null,
        text: '\u0000é',
      },
      { _id: 1, json: { $oid: '0123456789abcdef01234567' }, more: [{ $date: 'today' }] },
      { _id: 1, json: { $numberLong: '5' } },
      { _id: 1, json: { $binary: { base64: 'AA==', subType: '00' } } },
      { _id: 1, json: JSON.parse('{"__proto__":{"a":1},"$a":1,"a.b":2}') as unknown },
      { _id: 1, long: 'é'.repeat(6_000_000), list: Array.from({ length: 300_000 }, (_, at) => at) },
    ]) {
      const bytes = BSON.serialize(document)
      const line = lineOfDocument(bytes)
      expect(line).not.to.include('\n')
      expect(Buffer.byteLength(line)).to.be.at.most(maxDocumentLine)
      const again = BSON.serialize(documentOfLine({ text: line, place: 'here' }))
      expect(Buffer.compare(again, bytes), line.slice(0, 100)).to.equal(0)
    }
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    for (const text of [
      deep,
      '[]',
      '1',
      'null',
      '{',
      '{"$binary":{"base64":"AAAA","subType":"00"}}',
    ])
      expect(() => documentOfLine({ text, place: 'here' }), text.slice(0, 20)).to.throw(
        'here is not a document',
      )
  })
})

const zstdNames = 'createZstdCompress' in (await import('node:zlib')) ? ['a.tar.zst'] : []
