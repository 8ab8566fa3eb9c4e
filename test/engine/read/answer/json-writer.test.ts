import { expect } from 'chai'
import { JsonWriter } from '../../../../engine/read/answer/json-writer.js'
import { textOf } from './write-stored.js'

const initialSize = 64 * 1024
const tooLarge = (): Error => new Error('beyond the bound')

/** Returns a writer with only this number of bytes left in its first buffer. */
function almostFull(left: number): JsonWriter {
  const writer = new JsonWriter()
  writer.raw(Buffer.alloc(initialSize - left, 'x'))
  return writer
}

function behind(left: number, write: (writer: JsonWriter) => void): string {
  const writer = almostFull(left)
  write(writer)
  return Buffer.from(writer.take().subarray(initialSize - left)).toString()
}

const stringOf = (writer: JsonWriter, text: string): void => {
  const bytes = Buffer.from(`before${text}behind`)
  writer.string(bytes, 6, bytes.length - 6)
}

describe('JsonWriter', () => {
  it('escapes the same characters as JSON.stringify', () => {
    const characters = Array.from({ length: 0x90 }, (_, code) => String.fromCharCode(code)).join('')
    const writer = new JsonWriter()
    stringOf(writer, characters)
    expect(textOf(writer)).to.equal(JSON.stringify(characters))
  })

  it('grows wherever a write reaches the end of its buffer', () => {
    for (let left = 0; left <= 12; left++) {
      expect(behind(left, (writer) => writer.ascii('abcdef'))).to.equal('abcdef')
      expect(behind(left, (writer) => writer.utf8('äöü'))).to.equal('äöü')
      expect(behind(left, (writer) => writer.raw(Buffer.from('abcdef')))).to.equal('abcdef')
      expect(behind(left, (writer) => writer.again(0, 4))).to.equal('xxxx')
      for (const text of ['', 'abc', '"', 'a"b', '\u0001', 'ab\u0001', '\u0001ab\n', '"""""']) {
        const found = behind(left, (writer) => stringOf(writer, text))
        expect(found).to.equal(JSON.stringify(text))
      }
    }
  })

  it('holds texts far larger than its buffer', () => {
    const long = 'abcdefgh'.repeat(initialSize)
    const writer = new JsonWriter()
    writer.ascii(long)
    writer.again(8, 16)
    writer.raw(Buffer.from(long))
    expect(writer.length).to.equal(2 * long.length + 8)
    expect(textOf(writer)).to.equal(`${long}abcdefgh${long}`)
  })

  it('repeats a part of what it has written', () => {
    const writer = new JsonWriter()
    writer.ascii('0123456789')
    writer.again(3, 6)
    writer.ascii('!')
    expect(textOf(writer)).to.equal('0123456789345!')
  })

  it('reports its length and returns a copy that later writes do not change', () => {
    const writer = new JsonWriter()
    writer.ascii('first')
    const taken = writer.take()
    expect(writer.length).to.equal(5)
    writer.clear()
    expect(writer.length).to.equal(0)
    writer.ascii('other')
    expect(Buffer.from(taken).toString()).to.equal('first')
    expect(textOf(writer)).to.equal('other')
  })

  it('starts empty for each response', () => {
    const writer = new JsonWriter()
    writer.ascii('first')
    writer.begin(100, tooLarge)
    expect(writer.length).to.equal(0)
    writer.ascii('other')
    expect(textOf(writer)).to.equal('other')
  })

  it('writes up to the limit of a response and throws for one byte more', () => {
    for (const bound of [10, initialSize, initialSize + 10, 5 * initialSize]) {
      const writer = new JsonWriter()
      writer.begin(bound, tooLarge)
      for (let left = bound; left > 0; left -= 5000) writer.ascii('x'.repeat(Math.min(left, 5000)))
      expect(writer.length).to.equal(bound)
      expect(() => writer.ascii('x')).to.throw('beyond the bound')
      expect(() => writer.utf8('x')).to.throw('beyond the bound')
      expect(() => writer.raw(Buffer.from('x'))).to.throw('beyond the bound')
      expect(() => writer.again(0, 1)).to.throw('beyond the bound')
      expect(() => stringOf(writer, '')).to.throw('beyond the bound')
      expect(writer.length).to.equal(bound)
    }
  })

  it('uses the limit of the current response', () => {
    const writer = new JsonWriter()
    writer.begin(10, tooLarge)
    writer.ascii('x'.repeat(10))
    writer.begin(3 * initialSize, tooLarge)
    writer.ascii('x'.repeat(3 * initialSize))
    writer.begin(10, tooLarge)
    expect(() => writer.ascii('x'.repeat(11))).to.throw('beyond the bound')
  })

  it('writes small responses after it has released a large buffer', () => {
    const writer = new JsonWriter()
    const large = 'x'.repeat(3 * 1024 * 1024)
    writer.begin(Infinity, tooLarge)
    writer.ascii(large)
    expect(writer.length).to.equal(large.length)
    writer.clear()
    for (const text of ['small', 'x'.repeat(initialSize + 1)]) {
      writer.begin(Infinity, tooLarge)
      writer.ascii(text)
      expect(textOf(writer)).to.equal(text)
    }
  })
})
