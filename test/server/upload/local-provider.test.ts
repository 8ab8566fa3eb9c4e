import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { unfinishedName } from '../../../server/upload/providers/unfinished-files.js'
import { describeProvider } from './describe-provider.js'

describeProvider('local', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'quire-local-'))
  return {
    provider: createLocalProvider(path.join(root, 'deep', 'uploads')),
    close: () => rm(root, { recursive: true }),
  }
})

describe('local storage provider', () => {
  let root: string
  const uploads = () => path.join(root, 'deep', 'uploads')

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'quire-local-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  const put = (name: string) =>
    createLocalProvider(uploads()).put(name, Readable.from([Buffer.from('content')]), {
      mime: 'text/plain',
    })

  it('stores only the file in its folder, and returns the URL where it is served', async () => {
    await put('a_0123456789.txt')
    expect(await readdir(uploads())).to.deep.equal(['a_0123456789.txt'])
    const url = createLocalProvider(uploads()).url('a_0123456789.txt')
    expect(url).to.equal('/uploads/a_0123456789.txt')
  })

  it('removes files that a killed process left behind, but not those that another process is writing', async () => {
    const folder = uploads()
    await put('a.txt')
    const preserved = ['.00000000-0000-4000-8000-00000000000a', 'a.txt', '.nfs0001']
    const leftovers = ['.5b0c6ad3-6f0e-4f0a-9d39-4f6a2b1f9c11', unfinishedName()]
    for (const name of [...preserved, ...leftovers])
      await writeFile(path.join(folder, name), 'content')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    for (const name of [...preserved.slice(1), ...leftovers])
      await utimes(path.join(folder, name), longAgo, longAgo)
    const provider = createLocalProvider(folder)
    for (let turn = 0; turn < 2; turn++)
      expect(await provider.removeUnfinished(60 * 60_000, false)).to.equal(2)
    expect(await provider.removeUnfinished(60 * 60_000)).to.equal(2)
    expect((await readdir(folder)).sort()).to.deep.equal(preserved.toSorted())
    const absent = createLocalProvider(path.join(folder, 'not', 'there'))
    expect(await absent.removeUnfinished(0)).to.equal(0)
  })

  it('fails if the folder cannot be created', async function () {
    if (process.platform !== 'linux') this.skip()
    const { marker } = createLocalProvider('/proc/quire/uploads')
    const error = await marker?.readOrMake().catch((thrown: unknown) => thrown)
    expect(String(error)).to.include('/proc/quire').and.to.include('ENOENT')
  })

  it('fails with 503 and outcome not-done if the disk fails', async () => {
    // Makes the folder unusable: a file has its path.
    await writeFile(path.join(root, 'deep'), '')
    const failure = await put('a.txt').catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(ApiError)
    if (!(failure instanceof ApiError)) return
    expect([failure.code, failure.details]).to.deep.equal(['unavailable', { outcome: 'not-done' }])
    expect(failure.message).to.contain('ENOTDIR')
  })
})
