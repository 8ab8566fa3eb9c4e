import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { launchChromium } from '../../scripts/chromium.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { seenBy, useClient } from './use-client.js'

const clientFolder = new URL('../../client/', import.meta.url)

describe('client in other runtimes than Node.js', function () {
  this.timeout(180_000)
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())
  const optionsFor = (name: string) => ({ baseUrl: `${app.url}/api`, token: app.token, name })

  it('works in a browser, on a page of another origin', async function () {
    const browser = await launchChromium()
    if (browser === undefined) {
      process.stdout.write('      skipped: there is no Chromium\n')
      return this.skip()
    }
    const site = createServer((request, response) => {
      const name = basename(request.url ?? '')
      if (!name.endsWith('.js'))
        return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>')
      readFile(new URL(name, clientFolder)).then(
        (content) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(content),
        () => response.writeHead(404).end(),
      )
      return undefined
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    try {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
      const argument = JSON.stringify(optionsFor('browser'))
      const seen: unknown = await page.evaluate(
        `import('/main.js').then((module) => (${useClient.toString()})(module, ${argument}))`,
      )
      expect(seen).to.deep.equal(seenBy('browser'))
    } finally {
      await browser.close()
      site.close()
    }
  })

  it('works with only the globals that edge runtimes have in common', async () => {
    const runtime = fileURLToPath(new URL('edge-runtime.js', import.meta.url))
    const args = [
      ...['--experimental-vm-modules', '--no-warnings', runtime],
      ...[new URL('main.js', clientFolder).href, useClient.toString()],
      JSON.stringify(optionsFor('edge')),
    ]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
    expect(JSON.parse(stdout)).to.deep.equal(seenBy('edge'))
  })
})
