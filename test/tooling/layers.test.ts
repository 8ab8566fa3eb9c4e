import { expect } from 'chai'
import { checkSources, type LayerRules } from '../../scripts/layers/check-sources.js'
import { findCycle } from '../../scripts/layers/find-cycle.js'
import { readSource, type Source } from '../../scripts/layers/read-source.js'

const rules: LayerRules = {
  layers: [
    { name: 'errors', files: ['engine/errors.ts'], imports: [], packages: [] },
    { name: 'parse', files: ['engine/parse/'], imports: ['errors'], packages: ['qs'] },
    { name: 'resolve', files: ['engine/resolve/'], imports: [], types: ['parse'], packages: [] },
    { name: 'plan', files: ['engine/write/plan-*.ts'], imports: [], packages: [] },
    { name: 'write', files: ['engine/write/'], imports: ['plan'], packages: [] },
    {
      name: 'config',
      files: ['server/config.ts', 'server/read.ts'],
      imports: [],
      packages: [],
      environment: true,
    },
    { name: 'feature', files: ['server/:feature/'], imports: ['errors'], packages: 'all' },
    { name: 'cli', files: ['cli/'], imports: 'all', except: ['scripts'], packages: 'all' },
    { name: 'scripts', files: ['scripts/'], imports: 'all', packages: 'all' },
  ],
  reservedPackages: { piscina: ['workers'] },
}

const check = (files: Readonly<Record<string, string>>): readonly string[] =>
  checkSources(
    Object.entries(files).map(([file, text]) => readSource(file, text)),
    rules,
  )

describe('the layer check', () => {
  it('allows what the table names, and imports within a layer', () => {
    const problems = check({
      'engine/errors.ts': '',
      'engine/parse/sort.ts': `import { fail } from '../errors.js'\nimport qs from 'qs'`,
      'engine/parse/fields.ts': `import { parseSort } from './sort.js'`,
    })
    expect(problems).to.deep.equal([])
  })

  it('names the file, the line and what is allowed for any other import', () => {
    const problems = check({
      'engine/errors.ts': `\nimport { parseSort } from './parse/sort.js'`,
      'engine/parse/sort.ts': '',
    })
    expect(problems).to.deep.equal([
      'engine/errors.ts:2: errors may not import engine/parse/sort.ts (parse); allowed: nothing; types of nothing',
    ])
  })

  it('lets types through where the table allows types only', () => {
    const sort = { 'engine/parse/sort.ts': '' }
    const types = `import type { A } from '../parse/sort.js'\nimport { type B } from '../parse/sort.js'`
    expect(check({ ...sort, 'engine/resolve/sort.ts': types })).to.deep.equal([])
    const values = `import { type B, parseSort } from '../parse/sort.js'`
    expect(check({ ...sort, 'engine/resolve/sort.ts': values })).to.have.length(1)
  })

  it('lets a layer that may import all import all but what is excepted', () => {
    const problems = check({
      'engine/errors.ts': '',
      'scripts/a.ts': '',
      'cli/b.ts': `import '../engine/errors.js'\nimport { a } from '../scripts/a.js'`,
    })
    expect(problems).to.deep.equal(['cli/b.ts:2: cli may not import scripts/a.ts (scripts)'])
  })

  it('counts dynamic imports and import types', () => {
    const text = [
      `const b = await import('../resolve/a.js')`,
      `type C = import('../resolve/a.js').C`,
    ].join('\n')
    const problems = check({ 'engine/resolve/a.ts': '', 'engine/parse/a.ts': text })
    expect(problems.map((p) => p.split(' ')[0])).to.deep.equal([
      'engine/parse/a.ts:1:',
      'engine/parse/a.ts:2:',
    ])
  })

  it('refuses a package that the layer does not list, sub-paths and scopes included', () => {
    const text = `import 'qs/lib/parse.js'\nimport '@scope/name/sub'\nimport 'node:fs'`
    expect(check({ 'engine/parse/a.ts': text })).to.deep.equal([
      'engine/parse/a.ts:2: parse may not import @scope/name; allowed: qs',
      'engine/parse/a.ts:3: parse may not import node:fs; allowed: qs',
    ])
  })

  it('keeps a reserved package behind its door even where a layer may import all', () => {
    expect(check({ 'server/users/a.ts': `import { Piscina } from 'piscina'` })).to.deep.equal([
      'server/users/a.ts:1: feature may not import piscina; only workers may',
    ])
  })

  it('takes the files and folders of one layer together', () => {
    const files = { 'server/config.ts': `import './read.js'`, 'server/read.ts': '' }
    expect(check(files)).to.deep.equal([])
  })

  it('tells the stages in a folder apart by the verbs of its files', () => {
    const problems = check({
      'engine/write/plan-save.ts': `import './save.js'\nimport './below/plan-save.js'`,
      'engine/write/save.ts': '',
      'engine/write/write.ts': `import './plan-save.js'`,
      'engine/write/below/plan-save.ts': '',
    })
    expect(problems).to.deep.equal([
      'engine/write/plan-save.ts:1: plan may not import engine/write/save.ts (write); allowed: nothing; types of nothing',
      'engine/write/plan-save.ts:2: plan may not import engine/write/below/plan-save.ts (write); allowed: nothing; types of nothing',
    ])
  })

  it('keeps features apart', () => {
    const problems = check({
      'server/users/list.ts': `import './create.js'\nimport '../upload/store.js'`,
      'server/users/create.ts': '',
      'server/upload/store.ts': '',
    })
    expect(problems).to.have.length(1)
    expect(problems[0]).to.match(/^server\/users\/list.ts:2: .*server\/upload\/store.ts/)
  })

  it('refuses re-exports and enums', () => {
    const text = [
      `export * from './b.js'`,
      `export type { B } from './b.js'`,
      `export { text } from './b.js'`,
      `enum Kind {}`,
    ].join('\n')
    expect(check({ 'engine/parse/a.ts': text, 'engine/parse/b.ts': '' })).to.deep.equal([
      'engine/parse/a.ts:1: import from the file that declares it',
      'engine/parse/a.ts:2: import from the file that declares it',
      'engine/parse/a.ts:3: import from the file that declares it',
      'engine/parse/a.ts:4: use a union of string literals',
    ])
  })

  it('refuses process.env outside the layer that may read it', () => {
    const text = `const port = process.env.PORT\nconst { HOST } = process.env`
    expect(check({ 'server/config.ts': text })).to.deep.equal([])
    expect(check({ 'server/users/a.ts': text })).to.deep.equal([
      'server/users/a.ts:1: feature may not read process.env',
      'server/users/a.ts:2: feature may not read process.env',
    ])
  })

  it('refuses a file that no layer claims', () => {
    expect(check({ 'lib/a.ts': '' })).to.deep.equal([
      'lib/a.ts: no layer of the table claims this file',
    ])
  })

  it('refuses a cycle of imports, types included', () => {
    const problems = check({
      'engine/parse/a.ts': `import './b.js'`,
      'engine/parse/b.ts': `import type { C } from './c.js'`,
      'engine/parse/c.ts': `import './b.js'`,
    })
    expect(problems).to.deep.equal([
      'cycle: engine/parse/b.ts -> engine/parse/c.ts -> engine/parse/b.ts',
    ])
  })
})

describe('findCycle', () => {
  it('finds none where a node is reached twice', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', ['outside']],
    ])
    expect(findCycle(graph)).to.equal(undefined)
  })

  it('finds a file that imports itself', () => {
    expect(findCycle(new Map([['a', ['a']]]))).to.deep.equal(['a', 'a'])
  })
})

describe('readSource', () => {
  it('takes an import of a side effect and an import of nothing as values', () => {
    const source: Source = readSource('a.ts', `import './b.js'\nimport {} from './c.js'`)
    expect(source.imports).to.deep.equal([
      { specifier: './b.js', line: 1, typeOnly: false },
      { specifier: './c.js', line: 2, typeOnly: false },
    ])
  })
})
