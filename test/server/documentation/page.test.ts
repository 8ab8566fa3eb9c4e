import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../scripts/chromium.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('page at /documentation', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  it('can run scripts and send requests only from and to this service', async () => {
    const { status, headers, text } = await app.request('GET', '/documentation')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text).to.not.match(
      /<style|style=|\son\w+=|https?:|<script(?![^>]*src="\/documentation\/)/,
    )
    const names = [...text.matchAll(/"(\/documentation\/assets\/[^"]+)"/g)].map(([, name]) => name)
    expect(names).to.have.length(4)
    for (const name of names) {
      const asset = await app.request('GET', name ?? '')
      expect(asset, name).to.include({ status: 200 })
      // Only the page itself may run scripts. If an asset is opened by itself, it may not.
      expect(asset.headers.get('content-security-policy')).to.match(/^default-src 'none';/)
      const again = { headers: { 'If-None-Match': asset.headers.get('etag') ?? '' } }
      expect((await app.request('GET', name ?? '', again)).status).to.equal(304)
    }
  })

  it('serves no other files', async () => {
    for (const name of ['LICENSE', 'page.html', '..%2f..%2fserver%2fmain.js', '__proto__'])
      expect((await app.request('GET', `/documentation/assets/${name}`)).status, name).to.equal(404)
  })

  describe('in a browser', function () {
    // On an idle machine, rendering takes a second.
    this.timeout(180_000)
    let browser: Browser | undefined
    before(async function () {
      browser = await launchChromium()
      if (browser === undefined) {
        process.stdout.write('      skipped: there is no Chromium\n')
        this.skip()
      }
    })
    after(() => browser?.close())

    /** Opens a page. `troubles` contains the errors in the browser, and requests to other servers. */
    const open = async (url: string) => {
      if (browser === undefined) throw new Error('There is no browser')
      const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
      page.setDefaultTimeout(120_000)
      const troubles: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') troubles.push(message.text())
      })
      page.on('pageerror', (error) => troubles.push(String(error)))
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url))
          troubles.push(request.url())
      })
      await page.goto(`${url}/documentation`)
      return { page, troubles }
    }
    const show = async (page: Page, token: string) => {
      await page.getByLabel('Token').fill(token)
      await page.getByRole('button', { name: 'Show' }).click()
    }
    const send = async (
      page: Page,
      operation: string,
      fields: Readonly<Record<string, string>>,
    ) => {
      const block = page.locator(`[id$="-${operation}"]`)
      await block.locator('.opblock-summary-control').first().click()
      for (const [name, value] of Object.entries(fields))
        await block.locator(`[data-param-name="${name}"]`).locator('input, textarea').fill(value)
      const responseReceived = page.waitForResponse((response) => response.url().includes('/api/'))
      await block.getByRole('button', { name: 'Execute' }).click()
      const response = await responseReceived
      await block
        .locator('.live-responses-table .response-col_status')
        .filter({ hasText: String(response.status()) })
        .waitFor()
      return response
    }

    it('shows public operations, then those of a token, and sends requests with that token', async () => {
      const { page, troubles } = await open(app.url)
      const articles = page.locator('#operations-tag-Article')
      await page.locator('#operations-tag-Operation').waitFor()
      expect(await articles.count()).to.equal(0)

      await show(page, app.token)
      await articles.click()
      const { status } = await app.request('POST', '/api/articles', {
        ...{ token: app.token, body: { data: { title: 'Rain in May', slug: 'rain' } } },
      })
      expect(status).to.equal(201)
      const response = await send(page, 'findArticle', {
        filters: '{ "title": { "$contains": "Rain" }, "author": { "name": { "$null": true } } }',
        populate: '{ "author": { "fields": ["name"] } }',
        pagination: '{ "pageSize": 10 }',
      })
      const { searchParams } = new URL(response.url())
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        'filters[title][$contains]': 'Rain',
        'filters[author][name][$null]': 'true',
        'populate[author][fields][0]': 'name',
        'pagination[pageSize]': '10',
        status: 'published',
      })
      expect(await response.json()).to.have.nested.property('data[0].title', 'Rain in May')
      expect(await response.json()).to.have.nested.property('data[0].author', null)
      const all = await send(page, 'findOneArticle', { populate: '*', documentId: 'nobody' })
      expect(new URL(all.url()).search).to.equal('?populate=*&status=published')
      expect(all.status()).to.equal(404)
      expect(troubles.filter((trouble) => !trouble.includes('status of 404'))).to.deep.equal([])
      await page.close()
    })

    it('explains which token it needs if the document is only for admins, and shows it to one', async () => {
      const closed = await startApp({ settings: { 'documentation.access': 'admins' } })
      try {
        const { page } = await open(closed.url)
        const notice = page.locator('#notice')
        await notice.filter({ hasText: /^403: .*documentation\.access/ }).waitFor()
        await show(page, 'nobody')
        await notice.filter({ hasText: /^401: / }).waitFor()
        await show(page, closed.adminJwt)
        await page.locator('#operations-tag-Admins').waitFor()
        expect(await notice.textContent()).to.equal('')
        await page.close()
      } finally {
        await closed.stop()
      }
    })
  })
})
