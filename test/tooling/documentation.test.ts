import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { fillTables, pages } from '../../scripts/fill-tables.js'

const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

type Manifest = Readonly<{
  dependencies: Readonly<Record<string, string>>
  optionalDependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
  scripts: Readonly<Record<string, string>>
}>

const docs = readdirSync(new URL('../../../docs/', import.meta.url), { recursive: true })
  .map((name) => `docs/${String(name)}`)
  .filter((name) => name.endsWith('.md'))
const remedy = 'run `node dist/scripts/write-tables.js`'

describe('documentation', () => {
  const manifest = JSON.parse(read('package.json')) as Manifest

  it('lists every page in docs/README.md', () => {
    const linked = [...read('docs/README.md').matchAll(/\]\(([^)#]+)/g)].map(([, page]) => page)
    const others = docs.filter((page) => page !== 'docs/README.md')
    expect(linked.map((page) => `docs/${page}`)).to.include.members(others)
  })

  it('gives a reason for every dependency, and for nothing else', () => {
    const listed = [...read('docs/internals/dependencies.md').matchAll(/^\| `([^`]+)`/gm)].map(
      ([, name]) => name,
    )
    const installed = Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    })
    expect(listed).to.have.members(installed)
  })

  it('names only npm scripts that exist', () => {
    for (const page of ['README.md', ...docs]) {
      const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
      // `npm run strapi` belongs to Strapi projects.
      expect([...Object.keys(manifest.scripts), 'strapi'], page).to.include.members(named)
    }
  })
})

describe('pages in docs/', () => {
  it('contain the tables that the code declares', async () => {
    for (const page of Object.keys(pages))
      expect(await fillTables(page, read(page)), remedy).to.equal(read(page))
  })
})
