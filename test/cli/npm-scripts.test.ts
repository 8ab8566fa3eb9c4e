import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.js'
import { quireCommand, runQuire } from '../support/quire-command.js'
import { folderForEach, writeFiles } from '../support/temporary-folder.js'

describe('npm scripts of a new project', function () {
  this.timeout(120_000)
  const makeFolder = folderForEach()
  let running: ChildProcess | undefined
  afterEach(() => {
    if (running?.pid !== undefined) killGroup(running.pid)
  })

  /** Creates a project in which `node_modules/.bin/quire` runs this checkout. */
  const makeProject = async (): Promise<string> => {
    const folder = await makeFolder({})
    await runQuire(['init', 'site', '--no-install'], { cwd: folder })
    const site = `${folder}/site`
    const bin = 'node_modules/.bin/quire'
    await writeFiles(site, {
      [bin]: `#!/bin/sh\nexec "${process.execPath}" "${quireCommand}" "$@"\n`,
    })
    await chmod(`${site}/${bin}`, 0o755)
    return site
  }

  /** Resolves when the service is ready. */
  const start = async (command: string, args: readonly string[], cwd: string) => {
    const port = await freePort()
    const { PATH = '' } = process.env
    const env = { PATH, HOME: cwd, HOST: '127.0.0.1', PORT: String(port) }
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running = child
    const output = { text: '' }
    child.stderr.resume()
    // All child processes share this stream, so it closes when all have ended.
    const ended = once(child.stdout, 'close')
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output.text += chunk
        if (output.text.includes('Quire is ready at')) resolve()
      })
      void ended.then(() => reject(new Error(output.text)))
    })
    return { child, output, ended, url: `http://127.0.0.1:${port}` }
  }

  for (const script of ['start', 'dev'])
    it(`stop the service when npm run ${script} gets SIGTERM`, async () => {
      const { child, output, ended, url } = await start('npm', ['run', script], await makeProject())
      const exited = once(child, 'exit')
      expect((await fetch(`${url}/_health`)).status).to.equal(204)
      child.kill('SIGTERM')
      await exited
      expect(output.text).to.include('Quire has stopped')
      await ended
      expect(await fetch(url).catch(() => 'free')).to.equal('free')
    })

  it('watch only the files of the project, and stop the service when quire dev is killed', async () => {
    const project = await makeProject()
    const { child, output, ended } = await start(process.execPath, [quireCommand, 'dev'], project)
    // The project uses a checkout, which is neither watched nor compiled.
    expect(output.text).to.match(
      / watching path\(s\): schema\/\*\*\/\* quire\.config\.json \.env\b/,
    )
    expect(output.text).to.not.include('compilation')
    child.kill('SIGKILL')
    await ended
    expect(output.text).to.include('Quire has stopped')
  })
})

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The processes have ended already.
  }
}
