import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'

/** A storage provider with an empty store of its own. */
export type OpenProvider = Readonly<{ provider: StorageProvider; close: () => Promise<void> }>

/** Defines the tests that every storage provider must pass. */
export function describeProvider(
  name: StorageProvider['name'],
  open: () => Promise<OpenProvider>,
): void {
  describe(`storage provider ${name}`, () => {
    let opened: OpenProvider
    let provider: StorageProvider
    beforeEach(async () => {
      opened = await open()
      provider = opened.provider
    })
    afterEach(() => opened.close())

    const put = (file: string, content: string | Uint8Array) =>
      provider.put(file, Readable.from([Buffer.from(content)]), { mime: 'text/plain' })
    const read = async (file: string, range?: { start: number; end: number }) => {
      const stream = await provider.open(file, range)
      return stream === undefined ? undefined : text(stream)
    }
    const names = async () => {
      const found = []
      for await (const content of provider.list()) found.push(content.name)
      return found.sort()
    }
    const failureOf = (run: Promise<unknown>): Promise<unknown> =>
      run.then(
        () => undefined,
        (error: unknown) => error,
      )

    it('has its name', () => {
      expect(provider.name).to.equal(name)
    })

    it('stores content, and returns its size and modification time', async () => {
      const before = Date.now()
      expect(await put('a_0123456789.txt', 'content')).to.equal(7)
      expect(await read('a_0123456789.txt')).to.equal('content')
      const { size, modifiedAt } = (await provider.stat('a_0123456789.txt')) ?? {}
      expect(size).to.equal(7)
      // The times may differ by a minute, because stores have their own clocks, some with a resolution of seconds.
      expect(modifiedAt?.getTime()).to.be.within(before - 60_000, Date.now() + 60_000)
    })

    it('stores content of many chunks byte for byte, and reads ranges of it', async () => {
      const chunks = Array.from({ length: 100 }, () => randomBytes(130_001))
      const whole = Buffer.concat(chunks)
      const about = { mime: 'application/octet-stream' }
      expect(await provider.put('large.bin', Readable.from(chunks), about)).to.equal(whole.length)
      expect((await provider.stat('large.bin'))?.size).to.equal(whole.length)
      const stream = await provider.open('large.bin')
      expect(stream).to.not.equal(undefined)
      if (stream === undefined) return
      expect(hash(await buffer(stream))).to.equal(hash(whole))
      for (const [start, end] of [
        [0, 0],
        [whole.length - 1, whole.length - 1],
        [5_000_000, 9_000_000],
        [261_119, 261_121],
      ] as const) {
        const part = await provider.open('large.bin', { start, end })
        if (part === undefined) throw new Error('The content is missing')
        expect(hash(await buffer(part))).to.equal(hash(whole.subarray(start, end + 1)))
      }
    })

    it('stores empty content', async () => {
      expect(await provider.put('none.txt', Readable.from([]), { mime: 'text/plain' })).to.equal(0)
      expect((await provider.stat('none.txt'))?.size).to.equal(0)
      expect(await read('none.txt')).to.equal('')
    })

    it('reads a range', async () => {
      await put('a.txt', '0123456789')
      expect(await read('a.txt', { start: 2, end: 4 })).to.equal('234')
      expect(await read('a.txt', { start: 9, end: 9 })).to.equal('9')
    })

    it('returns undefined for an unknown name', async () => {
      expect(await provider.stat('absent.txt')).to.equal(undefined)
      expect(await provider.open('absent.txt')).to.equal(undefined)
      expect(await provider.open('absent.txt', { start: 0, end: 3 })).to.equal(undefined)
    })

    it('removes content, and ignores an unknown name', async () => {
      await put('a.txt', 'content')
      await put('b.txt', 'other')
      await provider.remove('a.txt')
      await provider.remove('a.txt')
      expect(await provider.stat('a.txt')).to.equal(undefined)
      expect(await read('a.txt')).to.equal(undefined)
      expect(await read('b.txt')).to.equal('other')
    })

    it('lists all stored content with name, size and modification time', async () => {
      expect(await names()).to.deep.equal([])
      await put('a.txt', 'one')
      await put('b.txt', 'three')
      const found = []
      for await (const { name: file, size, modifiedAt } of provider.list()) {
        found.push([file, size])
        expect(modifiedAt).to.be.instanceOf(Date)
      }
      expect(found.sort()).to.deep.equal([
        ['a.txt', 3],
        ['b.txt', 5],
      ])
    })

    it('stores nothing if the content stream fails midway, and rejects with its error', async () => {
      async function* breaking() {
        yield randomBytes(6_000_000)
        await turn()
        throw new Error('The client is gone')
      }
      const failure = await failureOf(
        provider.put('a.bin', Readable.from(breaking()), { mime: 'application/octet-stream' }),
      )
      expect(failure).to.be.instanceOf(Error).and.have.property('message', 'The client is gone')
      expect(await provider.stat('a.bin')).to.equal(undefined)
      expect(await names()).to.deep.equal([])
      expect(await provider.removeUnfinished(0)).to.equal(0)
    })

    it('stores nothing if the content stream had already failed', async () => {
      const content = new PassThrough().on('error', () => undefined)
      content.destroy(new Error('The client was gone'))
      expect(
        await failureOf(provider.put('a.txt', content, { mime: 'text/plain' })),
      ).to.be.instanceOf(Error)
      expect(await names()).to.deep.equal([])
    })

    it('aborts a put by its signal, destroys the content stream, and stores nothing', async () => {
      const ending = new AbortController()
      const content = new PassThrough()
      content.write(randomBytes(100_000))
      const failure = failureOf(
        provider.put('a.bin', content, { mime: 'text/plain' }, ending.signal),
      )
      await turn()
      ending.abort()
      expect(await failure).to.be.instanceOf(Error)
      expect(content.destroyed).to.equal(true)
      const late = Readable.from([Buffer.from('content')])
      expect(
        await failureOf(provider.put('b.bin', late, { mime: 'text/plain' }, ending.signal)),
      ).to.be.instanceOf(Error)
      expect(await names()).to.deep.equal([])
      expect(await provider.removeUnfinished(0)).to.equal(0)
    })

    it('keeps concurrent puts apart', async () => {
      const files = Array.from(
        { length: 8 },
        (_, i) => [`f${i}.txt`, `${i}`.repeat(10_000)] as const,
      )
      await Promise.all(files.map(([file, content]) => put(file, content)))
      for (const [file, content] of files) expect(await read(file)).to.equal(content)
    })

    it('keeps the content if a reader stops early', async () => {
      await put('a.bin', randomBytes(3_000_000))
      const stream = await provider.open('a.bin')
      for await (const chunk of stream ?? []) {
        expect(chunk).to.be.instanceOf(Uint8Array)
        break
      }
      expect(stream?.destroyed).to.equal(true)
      expect((await provider.stat('a.bin'))?.size).to.equal(3_000_000)
    })

    it('rejects names that Quire would not generate', async () => {
      for (const file of ['../a.txt', '.a.txt', 'a/b.txt', ''])
        expect(await failureOf(put(file, 'content'))).to.be.instanceOf(Error)
      expect(await names()).to.deep.equal([])
    })

    it('returns a URL that ends with the name', () => {
      expect(provider.url('a_0123456789.txt')).to.match(/\/a_0123456789\.txt$/)
    })
  })
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
