import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { databaseInUse } from '../../../server/database/database-in-use.js'
import { findLockOwner } from '../../../server/database/lock-owner.js'
import { Cleanup } from './cleanup.js'

const idle = fileURLToPath(new URL('./fixtures/make-temp-folder.js', import.meta.url))

describe('owner of a database lock', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  const makeLock = async (content: string) => {
    const directory = join(await cleanup.folder(), 'database')
    await mkdir(directory)
    await writeFile(join(directory, 'mongod.lock'), content)
    return directory
  }
  const startProcess = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [idle, ...args])
    await once(child, 'spawn')
    const kill = async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    cleanup.add(kill)
    return child.pid ?? 0
  }

  it('is found by the lock file, with its arguments and its parent', async () => {
    const directory = await makeLock('')
    const pid = await startProcess(directory, '--password', 'secret')
    await writeFile(join(directory, 'mongod.lock'), `${pid}\n`)
    const owner = await findLockOwner(directory)
    expect(owner).to.include({ pid, parent: process.pid, isOrphaned: false })
    expect(owner?.command).to.include(`${directory} --password secret`)
    const { message } = await databaseInUse(directory)
    expect(message)
      .to.include(`in use by another process: ${pid} (${process.execPath} ${idle}), started by `)
      .and.to.not.include('secret')
  })

  it('is orphaned if nothing responds in the private folder that its arguments name', async () => {
    const directory = await makeLock('')
    const pid = await startProcess(directory, '--pidfilepath', `${directory}/quire-1/mongod.pid`)
    await writeFile(join(directory, 'mongod.lock'), `${pid}\n`)
    expect(await findLockOwner(directory)).to.include({ pid, isOrphaned: true })
    expect((await databaseInUse(directory)).message).to.not.include('started by')
  })

  for (const [content, reason] of [
    ['', 'the lock file is empty'],
    ['4194303\n', 'no process has the id in the lock file'],
    [`${process.pid}\n`, 'the process with the id in the lock file does not use the folder'],
  ] as const)
    it(`is not named if ${reason}`, async () => {
      const directory = await makeLock(content)
      expect(await findLockOwner(directory)).to.equal(undefined)
      expect((await databaseInUse(directory)).message).to.equal(
        `The database in ${directory} is in use by another process. ` + 'Stop that process first.',
      )
    })
})
