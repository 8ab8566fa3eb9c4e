import { expectPage } from '../../support/expect-page.js'
import { startMagazine, type Magazine } from './magazine.js'
import { createPageClient } from './page-client.js'

const pages = ['querying', 'writing', 'drafts-and-locales', 'access'].map(
  (name) => `docs/${name}.md`,
)

for (const page of pages)
  describe(page, () => {
    let magazine: Magazine
    before(async () => (magazine = await startMagazine()))
    after(() => magazine?.app.stop())

    it('shows the responses that its requests get', () => {
      const { send, shown } = createPageClient(magazine)
      return expectPage(page, send, shown)
    })
  })
