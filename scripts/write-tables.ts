/** Updates the generated tables of the pages in docs/. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fillTables, pages } from './fill-tables.js'

for (const page of Object.keys(pages)) {
  const path = new URL(`../../${page}`, import.meta.url)
  writeFileSync(path, await fillTables(page, readFileSync(path, 'utf8')))
}
