/** `npm run screenshot`: takes the screenshot in README.md with an installed Chromium. */
import path from 'node:path'
import { packageRoot } from '../server/settings/own-command.js'
import { launchChromium } from './chromium.js'
import { createClosers } from './closers.js'
import { startDemo } from './demo/start-demo.js'

const file = path.join(packageRoot, 'docs/images/api-reference.png')
const closers = createClosers()
try {
  const browser = await launchChromium()
  if (browser === undefined) throw new Error('No Chromium found; set CHROMIUM to its path')
  closers.add(() => browser.close())
  const DATA_DIR = await closers.makeFolder('screenshot')
  const demo = await startDemo({ env: { ...process.env, DATA_DIR } })
  closers.add(demo.stop)
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
  await closers.closeAll()
}
