import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { fillTables, pages } from '../../scripts/fill-tables.js'

const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

type Manifest = Readonly<{
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
  scripts: Readonly<Record<string, string>>
}>

const remedy = 'run `node dist/scripts/write-readme.js`'

describe('README.md', () => {
  const readme = read('README.md')
  const manifest = JSON.parse(read('package.json')) as Manifest

  it('shows every setting and every environment variable as the code declares them', async () => {
    expect(await fillTables('README.md', readme), remedy).to.equal(readme)
  })

  it('gives a reason for every dependency, and for nothing else', () => {
    const section = /\n## Dependencies\n([^]*?)\n## /.exec(readme)?.[1] ?? ''
    const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(listed).to.have.members(installed)
  })

  it('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
    expect(Object.keys(manifest.scripts)).to.include.members(named)
  })
})

describe('The pages in docs/', () => {
  it('show their tables as the code declares them', async () => {
    for (const page of Object.keys(pages))
      expect(await fillTables(page, read(page)), remedy).to.equal(read(page))
  })
})
