/** `npm run screenshot`: takes the picture of the README, with a Chromium of this machine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchChromium } from './chromium.js'
import { startDemo } from './demo/start-demo.js'

const file = fileURLToPath(new URL('../../docs/images/api-reference.png', import.meta.url))
const dataDir = await mkdtemp(path.join(tmpdir(), 'quire-screenshot-'))
const browser = await launchChromium()
if (browser === undefined) throw new Error('No Chromium found; set CHROMIUM to its path')
const demo = await startDemo({ env: { ...process.env, DATA_DIR: dataDir } })
try {
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } })
  await page.goto(`${demo.url}/documentation`)
  await page.locator('#operations-tag-Article').click()
  const operation = page.locator('[id$="-findArticle"]')
  await operation.locator('.opblock-summary-control').first().click()
  const parameter = (name: string) => operation.locator(`[data-param-name="${name}"]`)
  await parameter('fields').locator('select').selectOption(['title', 'publishedOn'])
  await parameter('populate')
    .locator('input, textarea')
    .fill('{ "author": { "fields": ["name"] } }')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.responses-wrapper')
  await response.locator('.live-responses-table').waitFor()
  await response.evaluate('(element) => element.scrollIntoView()')
  await page.screenshot({ path: file })
  console.log(`Written: ${path.relative('', file)}`)
} finally {
  await browser.close()
  await demo.stop()
  await rm(dataDir, { recursive: true, force: true })
}
