import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startDatabaseHost } from '../../../server/database/host.js'
import { findDamage } from '../../../server/database/find-damage.js'
import { tooFewDescriptors, tooFewForEngine } from '../../../server/database/descriptors.js'
import { sideBySide } from '../../support/side-by-side.js'
import { enginePid, eventually, startJournal } from './support.js'

const run = promisify(execFile)

const refusal = (dataDir: string): Promise<string | undefined> =>
  startDatabaseHost({ dataDir, log: startJournal().log }).then(
    async (host) => void (await host.stop()),
    (error: Error) => error.message,
  )

describe('obstacles to the start of the database engine', () => {
  const it = sideBySide()

  it('are retried until the engine runs if it ran before, for example after its folder is restored', async ({
    cleanup,
  }) => {
    const folder = await cleanup.folder()
    const journal = startJournal()
    const host = await cleanup.host(folder, journal)
    const client = await cleanup.client(host.uri)
    await client.db().collection('kept').insertOne({ n: 1 })
    const directory = join(folder, 'database')
    const before = enginePid(journal)
    // Not more than five attempts, because the pauses between them double.
    await rename(directory, join(folder, 'elsewhere'))
    process.kill(before, 'SIGKILL')
    await eventually(() => journal.find('Trying again')?.['attempt'] === 5, 30_000)
    expect(journal.find('Trying again')?.msg).to.equal(
      `The folder ${directory} no longer exists. Mount or restore it, or set DATA_DIR to another folder. Trying again.`,
    )
    await rename(join(folder, 'elsewhere'), directory)
    await eventually(() => enginePid(journal) !== before, 30_000)
    expect(await client.db().collection('kept').countDocuments()).to.equal(1)
  })

  it('include a damaged file, which the log names at each attempt', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    const journal = startJournal()
    await cleanup.host(folder, journal)
    const path = join(folder, 'database', 'WiredTiger.turtle')
    const before = enginePid(journal)
    process.kill(before, 'SIGSTOP')
    await copyFile(path, join(folder, 'turtle'))
    await truncate(path, 0)
    process.kill(before, 'SIGKILL')
    await eventually(() => journal.find('Trying again') !== undefined, 30_000)
    expect(journal.find('Trying again')?.msg).to.include(
      'are damaged or missing: WiredTiger.turtle. Stop the service, and restore the folder from a backup.',
    )
    await copyFile(join(folder, 'turtle'), path)
    await eventually(() => enginePid(journal) !== before, 30_000)
  })

  it('include a read-only folder, which fails with one line', async ({ cleanup, skip }) => {
    const folder = await cleanup.folder()
    await mkdir(join(folder, 'database'))
    try {
      await run('mount', ['--bind', folder, folder])
    } catch {
      // Mounting a disk needs root, and is not possible everywhere.
      skip()
    }
    cleanup.add(() => run('umount', [folder]))
    await run('mount', ['-o', 'remount,bind,ro', folder])
    expect(await refusal(folder)).to.equal(
      `The folder ${join(folder, 'database')} is read-only. ` +
        'Mount it writable, or set DATA_DIR to another folder.',
    )
  })

  it('include a full disk, which fails with one line', async ({ cleanup, skip }) => {
    const folder = await cleanup.folder()
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'quire-test', folder])
    } catch {
      skip()
    }
    cleanup.add(() => run('umount', [folder]))
    await writeFile(join(folder, 'other'), Buffer.alloc(48 * 1024))
    expect(await refusal(folder)).to.equal(
      `The disk of ${join(folder, 'database')} is full. Free some space, or enlarge it.`,
    )
  })

  it('include a folder that cannot be created, without a hang', async ({ skip }) => {
    if (process.platform !== 'linux') skip()
    expect(await refusal('/proc/quire/data')).to.match(
      /^DATA_DIR cannot be used: ENOENT: .+\. Set it to a folder that this user can write to\.$/,
    )
  })

  it('include files with a wrong header and missing files', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    const host = await cleanup.host(folder)
    const client = await cleanup.client(host.uri)
    await client.db().collection('kept').insertOne({ n: 1 })
    await client.close()
    await host.stop()
    const directory = join(folder, 'database')
    expect(await findDamage(directory)).to.equal(undefined)
    await writeFile(join(directory, 'sizeStorer.wt'), 'not this')
    await rm(join(directory, '_mdb_catalog.wt'))
    expect(await findDamage(directory)).to.include(
      ' are damaged or missing: sizeStorer.wt, _mdb_catalog.wt. Stop',
    )
  })

  it('include a limit of open files that is too low', async ({ cleanup }) => {
    const folder = await cleanup.folder()
    expect(await tooFewForEngine(folder, 64)).to.equal(undefined)
    expect(await tooFewForEngine(folder, 63)).to.equal(
      `The database in ${folder} needs 64 open files, but the process can open only 63. Raise the limit: ` +
        '`ulimit -n 4096`, LimitNOFILE=4096 in systemd, --ulimit nofile=4096 in Docker.',
    )
    expect(tooFewDescriptors(512)).to.equal(undefined)
  })
})
