import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import {
  removeUnfinished,
  unfinishedName,
} from '../../../server/upload/providers/sweep-unfinished.js'

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

  it('removes what a process left behind that was killed, and not what another one writes', async () => {
    const folder = uploads()
    await createLocalProvider(folder).put('a.txt', source)
    const kept = ['.00000000-0000-4000-8000-00000000000a', 'a.txt', '.nfs0001']
    const left = ['.5b0c6ad3-6f0e-4f0a-9d39-4f6a2b1f9c11', unfinishedName()]
    for (const name of [...kept, ...left]) await writeFile(path.join(folder, name), 'content')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    for (const name of [...kept.slice(1), ...left])
      await utimes(path.join(folder, name), longAgo, longAgo)
    expect(await removeUnfinished(folder)).to.equal(2)
    expect((await readdir(folder)).sort()).to.deep.equal(kept.toSorted())
    expect(await removeUnfinished(path.join(folder, 'not', 'there'))).to.equal(0)
  })

  it('refuses names that lead elsewhere', async () => {
    const failure = await createLocalProvider(uploads())
      .put('../a.txt', source)
      .catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
  })
})
