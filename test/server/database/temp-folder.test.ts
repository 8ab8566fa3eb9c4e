import { expect } from 'chai'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTempFolder } from '../../../server/database/temp-folder.js'

describe('temporary folders', () => {
  let dataDir = ''
  before(async () => (dataDir = await mkdtemp(join(tmpdir(), 'data-'))))
  after(() => rm(dataDir, { recursive: true }))

  it('of a killed process are removed at the next start, but not those of other processes', async () => {
    const child = fork(fileURLToPath(new URL('./fixtures/make-temp-folder.js', import.meta.url)), [
      dataDir,
    ])
    const [abandoned] = (await once(child, 'message')) as [string]
    await writeFile(join(abandoned, 'part'), 'of an upload')
    const living = await makeTempFolder(dataDir)
    expect(existsSync(abandoned)).to.equal(true)
    child.kill('SIGKILL')
    await once(child, 'exit')

    const others = await mkdtemp(join(tmpdir(), 'quire-'))
    // If a symbolic link has the name of a temporary folder, its target must not be removed.
    const link = join(tmpdir(), 'quire-LinkTo')
    await symlink(others, link)
    const next = await makeTempFolder(dataDir)
    expect(existsSync(abandoned)).to.equal(false)
    expect([living.path, others, link].map((path) => existsSync(path))).to.deep.equal([
      true,
      true,
      true,
    ])
    await Promise.all([living.remove(), next.remove(), rm(link), rm(others, { recursive: true })])
    expect([living.path, next.path].some((path) => existsSync(path))).to.equal(false)
  })

  it('are created and removed even if their path is too long for a socket', async () => {
    const { TMPDIR } = process.env
    const long = await mkdtemp(join(tmpdir(), `long-${'x'.repeat(100)}-`))
    process.env['TMPDIR'] = long
    try {
      const { path, remove } = await makeTempFolder(dataDir)
      expect(existsSync(path)).to.equal(true)
      await remove()
      expect(await readdir(long)).to.deep.equal([])
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
      await rm(long, { recursive: true })
    }
  })

  it('are created in DATA_DIR if the system folder is unusable, and remains there are removed', async () => {
    const script = fileURLToPath(new URL('./fixtures/make-temp-folder.js', import.meta.url))
    const env = { ...process.env, TMPDIR: join(dataDir, 'none') }
    const make = async () => {
      const child = fork(script, [dataDir], { env })
      const [path] = (await once(child, 'message')) as [string]
      expect(path).to.match(/\/tmp\/[0-9a-f]{8}\/quire-\w{6}$/)
      expect(path.startsWith(dataDir)).to.equal(true)
      child.kill('SIGKILL')
      await once(child, 'exit')
      return path
    }
    const abandoned = await make()
    expect(existsSync(abandoned)).to.equal(true)
    const next = await make()
    expect([abandoned, next].map((path) => existsSync(path))).to.deep.equal([false, true])
  })
})
