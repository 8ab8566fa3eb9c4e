import { expectPage } from '../../support/expect-page.js'
import { startMagazine, type Magazine } from './magazine.js'
import { createPageAsker } from './page-asker.js'

const pages = ['querying', 'writing', 'drafts-and-locales', 'access'].map(
  (name) => `docs/${name}.md`,
)

for (const page of pages)
  describe(page, () => {
    let magazine: Magazine
    before(async () => (magazine = await startMagazine()))
    after(() => magazine?.app.stop())

    it('shows the responses that its requests get', () => {
      const { ask, shown } = createPageAsker(magazine)
      return expectPage(page, ask, shown)
    })
  })
