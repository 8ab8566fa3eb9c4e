import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createLocalProvider } from '../../server/upload/providers/local.js'

describe('The local storage provider', () => {
  let root: string
  let source: string
  const uploads = () => path.join(root, 'deep', 'uploads')

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'quire-local-'))
    source = path.join(root, 'source')
    await writeFile(source, 'content')
  })
  afterEach(() => rm(root, { recursive: true }))

  const read = async (name: string) => {
    const stream = await createLocalProvider(uploads()).open(name)
    return stream === undefined ? undefined : text(stream)
  }

  it('keeps what is put, leaves nothing else behind, and says where it is served', async () => {
    const provider = createLocalProvider(uploads())
    await provider.put('a_0123456789.txt', source)
    expect(await read('a_0123456789.txt')).to.equal('content')
    expect(await readdir(uploads())).to.deep.equal(['a_0123456789.txt'])
    expect(provider.url('a_0123456789.txt')).to.equal('/uploads/a_0123456789.txt')
  })

  it('replaces content as a whole', async () => {
    const provider = createLocalProvider(uploads())
    await provider.put('a.txt', source)
    await writeFile(source, 'new')
    await provider.put('a.txt', source)
    expect(await read('a.txt')).to.equal('new')
  })

  it('leaves nothing behind when the content cannot be read', async () => {
    const provider = createLocalProvider(uploads())
    const failure = await provider
      .put('a.txt', path.join(root, 'absent'))
      .catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
    expect(await readdir(uploads())).to.deep.equal([])
  })

  it('removes, and does not mind when there is nothing to remove', async () => {
    const provider = createLocalProvider(uploads())
    await provider.put('a.txt', source)
    await provider.remove('a.txt')
    await provider.remove('a.txt')
    expect(await read('a.txt')).to.equal(undefined)
  })

  it('refuses names that lead elsewhere', async () => {
    const failure = await createLocalProvider(uploads())
      .put('../a.txt', source)
      .catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
  })
})
