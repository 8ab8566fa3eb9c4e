import { scryptSync } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { runQuireInProcess } from '../support/quire-in-process.js'
import { folderForEach } from '../support/temporary-folder.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('admin session of the command line', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()
  const admin = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'Admin-password-1' }
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app?.stop())

  const open = async () => {
    const folder = await makeFolder({})
    const sessions = `${folder}/state/quire/sessions`
    return {
      sessions,
      run: (env: Readonly<Record<string, string>> = {}) =>
        runQuireInProcess(['config', 'pull', '--json', '--url', app.url], {
          ...{ cwd: folder, env: { ...admin, XDG_STATE_HOME: `${folder}/state`, ...env } },
        }),
      file: async () => `${sessions}/${(await readdir(sessions))[0]}`,
    }
  }

  it('stores the session, so that a dozen commands log in once', async () => {
    const { run, sessions, file } = await open()
    for (let at = 0; at < 12; at += 1)
      expect(await run(), String(at)).to.include({ code: 0, stderr: '' })
    expect(await readdir(sessions)).to.have.length(1)
    expect((await stat(sessions)).mode & 0o777).to.equal(0o700)
    expect((await stat(await file())).mode & 0o777).to.equal(0o600)
    const stored = JSON.parse(await readFile(await file(), 'utf8')) as object
    expect(stored)
      .to.include({ url: app.url, email: admin.ADMIN_EMAIL })
      .and.have.keys(...(['url', 'email', 'token', 'passwordHash'] as const))
    expect(JSON.stringify(stored)).to.not.include(admin.ADMIN_PASSWORD)
  })

  it('logs in again if the service refuses the stored session or its file is damaged', async () => {
    const { run, file } = await open()
    await run()
    const passwordHash = scryptSync(admin.ADMIN_PASSWORD, 'expired', 32).toString('hex')
    for (const damaged of [JSON.stringify({ token: 'expired', passwordHash }), '{', '']) {
      await writeFile(await file(), damaged)
      expect(await run(), damaged).to.include({ code: 0, stderr: '' })
      expect(await readFile(await file(), 'utf8')).to.include('"token":"ey')
    }
  })

  it('does not use the session stored for another password, and keeps it when that login fails', async () => {
    const { run, file } = await open()
    await run()
    const stored = await readFile(await file(), 'utf8')
    const wrong = await run({ ADMIN_PASSWORD: 'Another-password-1' })
    expect(wrong).to.include({ code: 1, stdout: '' })
    expect(wrong.stderr).to.match(
      /^ADMIN_EMAIL and ADMIN_PASSWORD are not the login of an admin of this service\..*Invalid credentials/,
    )
    expect(await readFile(await file(), 'utf8')).to.equal(stored)
    expect(await run()).to.include({ code: 0, stderr: '' })
    expect(await readFile(await file(), 'utf8')).to.equal(stored)
  })

  it('works without storing the session if the state folder is not writable', async () => {
    const { run } = await open()
    expect(await run({ XDG_STATE_HOME: '/proc' })).to.include({ code: 0, stderr: '' })
  })
})
