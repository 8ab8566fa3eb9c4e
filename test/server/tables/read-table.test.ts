import { Readable } from 'node:stream'
import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../engine/errors.js'
import { readTable, type ReadRow } from '../../../server/tables/read-table.js'
import { runs } from '../../support/properties.js'

const fileOf = (...pieces: readonly string[]): Readable =>
  Readable.from(pieces.map((piece) => Buffer.from(piece)))

async function all(rows: AsyncIterable<ReadRow>): Promise<readonly ReadRow[]> {
  const read: ReadRow[] = []
  for await (const row of rows) read.push(row)
  return read
}

describe('readTable', () => {
  // If a stream failed without a listener, the process would end.
  for (const format of ['csv', 'jsonl'] as const)
    it(`closes the file if the reader of ${format} stops or the file breaks off`, async () => {
      const lines = Array.from({ length: 500 }, (_, at) =>
        format === 'csv' ? `${'x'.repeat(100_000)}${at}\n` : `{"a":"${'x'.repeat(100_000)}"}\n`,
      )
      const left = fileOf(...lines)
      for await (const { row } of readTable(() => left, format, ',')) if (row === 20) break
      expect(left.destroyed).to.equal(true)
      const broken = Readable.from(
        (async function* () {
          for (const line of lines) yield Promise.resolve(Buffer.from(line))
          throw new Error('the disk is gone')
        })(),
      )
      const failure = await all(readTable(() => broken, format, ',')).catch((error: Error) => error)
      expect((failure as Error).message).to.equal('the disk is gone')
      await new Promise(setImmediate)
    })

  it('ends rows of JSON Lines at \\n only, wherever the file is split into chunks', async () => {
    const values = ['a\u2028b\u2029c', 'é', '']
    const text = `\uFEFF${values.map((a) => JSON.stringify({ a })).join('\r\n\n')}`
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    const rows = await all(readTable(() => Readable.from(bytes), 'jsonl', ','))
    expect(rows).to.deep.equal(values.map((a, at) => ({ row: at + 1, record: { a } })))
  })

  it('rejects a line that is longer than a row may be', async () => {
    const line = `"${'x'.repeat(1_048_576)}`
    const read = all(readTable(() => fileOf('{"a":1}\n', line, line, line, line), 'jsonl', ','))
    const failure = await read.catch((error: Error) => error)
    expect((failure as Error).message).to.equal('A line of the file is too long')
  })

  it('rejects JSON that is nested too deep before parsing it', async () => {
    const deep = '['.repeat(1_000_000)
    const message = 'The JSON is nested deeper than 100 levels at byte'
    const refused = await all(readTable(() => fileOf(deep), 'json', ',')).catch(
      (error: Error) => error,
    )
    expect((refused as Error).message).to.equal(`${message} 100`)
    const lines = fileOf(`{"a":${deep}}\n{"a":1}\n`)
    expect(await all(readTable(() => lines, 'jsonl', ','))).to.deep.equal([
      { row: 1, fault: `${message} 104` },
      { row: 2, record: { a: 1 } },
    ])
  })

  it('rejects a repeated column name, however many columns there are', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `column ${at}`)
    const read = (headers: readonly string[]) =>
      all(readTable(() => fileOf(`${headers.join(',')}\n`), 'csv', ','))
    expect(await read(names)).to.deep.equal([])
    const failure = await read([...names, 'column 7']).catch((error: Error) => error)
    expect((failure as Error).message).to.equal('The column "column 7" occurs twice')
  })

  it('rejects a single column that another delimiter would split, and suggests that delimiter', async () => {
    for (const [text, delimiter, suggestion] of [
      ['title;slug\na;b\n', ',', 'delimiter=%3B'],
      ['title\tslug\na\tb\n', ',', 'delimiter=%09'],
      ['title,slug\na,b\n', ';', 'delimiter=%2C'],
    ] as const) {
      const failure = await all(readTable(() => fileOf(text), 'csv', delimiter)).catch(
        (error: ApiError) => error,
      )
      expect((failure as ApiError).message).to.match(
        /^The file has only one column, "title.*\. Check the del/,
      )
      expect((failure as ApiError).details).to.deep.equal({ suggestion })
    }
    expect(await all(readTable(() => fileOf('title\na;b\n'), 'csv', ','))).to.deep.equal([
      { row: 1, record: { title: 'a;b' } },
    ])
  })

  it('reads any text, or rejects it as invalid in its format', async () => {
    const failure = await all(readTable(() => fileOf('{"a":"b"}'), 'csv', ',')).catch(
      (error: Error) => error,
    )
    expect((failure as Error).message).to.match(/^The file is not CSV: Invalid Opening Quote/)
    const piece = fc.constantFrom('"', ',', '\n', '\r', '{', 'ü', ' ', '[', '1', '\uFEFF', '\\')
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const formats = fc.constantFrom('csv', 'json', 'jsonl' as const)
    await fc.assert(
      fc.asyncProperty(text, formats, async (text, format) => {
        const read = await all(readTable(() => fileOf(text), format, ',')).catch(
          (error: unknown) => error,
        )
        if (read instanceof ApiError) expect(read.status).to.equal(400)
        else expect(read, String(read)).to.be.an('array')
      }),
      { numRuns: runs(500) },
    )
  })

  it('rejects a file that is not UTF-8, with the line', async () => {
    const text = 'name,city\nAnn,"New\nYork"\nZoë,Zürich\n'
    const latin = Buffer.from(text, 'latin1')
    const cut = Buffer.from(text).subarray(0, -6)
    const whole = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    for (const [bytes, line] of [
      [latin, 4],
      [cut, 4],
      [whole, 1],
    ] as const)
      for (const pieces of [[bytes], [...bytes].map((byte) => Buffer.from([byte]))])
        for (const format of ['csv', 'jsonl', 'json'] as const) {
          const file = Readable.from(pieces)
          const failure = await all(readTable(() => file, format, ',')).catch(
            (error: Error) => error,
          )
          expect((failure as Error).message).to.equal(
            `The file is not UTF-8 (line ${line}). Save it as UTF-8`,
          )
        }
    for (const pieces of [[text], [...Buffer.from(text)].map((byte) => Buffer.from([byte]))])
      expect(await all(readTable(() => Readable.from(pieces), 'csv', ','))).to.deep.equal([
        { row: 1, record: { name: 'Ann', city: 'New\nYork' } },
        { row: 2, record: { name: 'Zoë', city: 'Zürich' } },
      ])
  })

  it('accepts both line endings, even in one file', async () => {
    const rows = await all(readTable(() => fileOf('name\r\na\nb\r\nc'), 'csv', ','))
    expect(rows).to.deep.equal(
      ['a', 'b', 'c'].map((name, at) => ({ row: at + 1, record: { name } })),
    )
  })

  it('rejects a column without a name', async () => {
    const failure = await all(readTable(() => fileOf('a,b,\n1,2,\n'), 'csv', ',')).catch(
      (error: Error) => error,
    )
    expect((failure as Error).message).to.equal('Column 3 has no name')
  })

  it('opens the file only when rows are requested', async () => {
    let isOpen = false
    const rows = readTable(() => ((isOpen = true), fileOf('a\n1')), 'csv', ',')
    expect(isOpen).to.equal(false)
    expect(await all(rows)).to.deep.equal([{ row: 1, record: { a: '1' } }])
  })
})
