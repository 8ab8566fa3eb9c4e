import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { readSourceFiles } from '../../scripts/source-files.js'
import { makeFolder, removeFolder } from '../support/temporary-folder.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const types = 'import type { A } from'

/** Imports that `.dependency-cruiser.mjs` forbids. */
const refused: readonly (readonly [rule: string, from: string, to: string, statement?: string])[] =
  [
    ['no cycles', 'scripts/a.ts', 'scripts/b.ts'],
    ['no re-exports', 'server/mail/a.ts', 'server/mail/b.ts', 'export * from'],
    ['no re-exports', 'server/mail/a.ts', 'server/mail/c.ts', 'export type { A } from'],
    ['downwards from engine values', 'engine/values/a.ts', 'engine/schema/a.ts'],
    ['downwards from engine values', 'engine/errors.ts', 'engine/read.ts', types],
    ['downwards from engine schema', 'engine/schema/b.ts', 'engine/database/a.ts'],
    ['downwards from engine database', 'engine/database/b.ts', 'engine/read/parse/a.ts'],
    ['downwards from engine query and change', 'engine/read/parse/b.ts', 'engine/read/plan/a.ts'],
    [
      'downwards from engine query and change',
      'engine/write/rules/a.ts',
      'engine/write/execute/a.ts',
    ],
    ['downwards from engine plan', 'engine/read/plan/b.ts', 'engine/read/compile/a.ts'],
    ['downwards from engine run', 'engine/read/execute/b.ts', 'engine/read/answer/a.ts'],
    ['downwards from engine answer', 'engine/read/answer/b.ts', 'engine/write/execute/a.ts'],
    ['downwards from engine steps', 'engine/write/execute/b.ts', 'engine/write/save-document.ts'],
    ['downwards from engine doors', 'engine/write.ts', 'workers/a.ts'],
    ['downwards from engine doors', 'engine/write.ts', 'client/a.ts'],
    ['downwards from workers', 'workers/b.ts', 'server/http/a.ts'],
    ['downwards from server settings', 'server/settings/a.ts', 'server/mail/b.ts'],
    ['downwards from server vocabulary', 'server/accounts/caller.ts', 'server/http/a.ts'],
    ['downwards from server http', 'server/http/b.ts', 'server/content/a.ts'],
    ['downwards from server features', 'server/content/b.ts', 'server/lifecycle/a.ts'],
    ['downwards from server lifecycle', 'server/lifecycle/b.ts', 'cli/a.ts'],
    ['downwards from command line', 'cli/b.ts', 'scripts/c.ts'],
    ['downwards from command line', 'cli/b.ts', 'test/support/a.ts'],
    ['client alone', 'client/b.ts', 'engine/errors/a.ts', types],
    ['client alone', 'client/b.ts', 'node:buffer'],
    ['no development packages in the product', 'server/mail/d.ts', 'chai'],
    ['no schema after the plan', 'engine/read/execute/c.ts', 'engine/schema/a.ts'],
    ['no schema after the plan', 'workers/c.ts', 'engine/read/parse/a.ts', types],
    ['pure stages without the database', 'engine/read/cost/a.ts', 'engine/database/a.ts'],
    ['pure stages without the database', 'engine/read/compile/a.ts', 'engine/read/execute/a.ts'],
    ['pure stages without the database', 'engine/write/plan/a.ts', 'engine/database/a.ts'],
    ['input and output in engine/database alone', 'engine/write/execute/c.ts', 'node:fs/promises'],
    ['features apart', 'server/content/c.ts', 'server/upload/a.ts', types],
    ['features enter the engine by its doors', 'server/content/d.ts', 'engine/read/execute/a.ts'],
    ['@opentelemetry/api behind its door', 'server/http/c.ts', '@opentelemetry/api'],
    ['@sentry/core behind its door', 'server/http/c.ts', '@sentry/core/server', types],
    ['commander behind its door', 'server/mail/e.ts', 'commander'],
    ['express behind its door', 'engine/read/answer/c.ts', 'express'],
    ['mongodb behind its door', 'engine/read/plan/c.ts', 'mongodb', types],
    ['mongodb behind its door', 'server/documentation/a.ts', 'mongodb'],
    ['piscina behind its door', 'engine/write/execute/d.ts', 'piscina'],
    ['prom-client behind its door', 'server/content/e.ts', 'prom-client'],
  ]

function projectOf(imports: typeof refused): Readonly<Record<string, unknown>> {
  const files: Record<string, unknown> = {
    'package.json': { devDependencies: { chai: '*' } },
    'node_modules/chai/index.js': '',
    // The first import is from `a.ts` to `b.ts`. This one closes the cycle.
    'scripts/b.ts': `${types} './a.js'`,
  }
  for (const [, from, to, statement = 'import'] of imports) {
    const path = to.endsWith('.ts') ? posix.relative(posix.dirname(from), to) : undefined
    const specifier = path === undefined ? to : `./${path.replace(/\.ts$/, '.js')}`
    files[from] = `${(files[from] as string | undefined) ?? ''}${statement} '${specifier}'\n`
    if (path !== undefined) files[to] ??= ''
  }
  return files
}

/** Shortens the path of a package to its name: `node_modules/chai/index.js` becomes `chai`. */
const packageOr = (path: string): string => path.replace(/^node_modules\/([^/]+)\/.*/, '$1')

describe('layer check', () => {
  let rules: readonly string[]
  let found: readonly string[]
  before(async () => {
    const options = await extractOptions(`${root}.dependency-cruiser.mjs`)
    const folder = await makeFolder(projectOf(refused))
    const { output } = await cruise(['.'], { ...options, baseDir: folder })
    await removeFolder(folder)
    rules = options.ruleSet?.forbidden?.flatMap(({ name }) => name ?? []) ?? []
    const { violations } = (output as ICruiseResult).summary
    found = violations.map(({ rule, from, to }) => `${rule.name}: ${from} ${packageOr(to)}`)
  })

  for (const [rule, from, to] of refused)
    it(`refuses that ${from} imports ${to}, by the rule "${rule}"`, () => {
      expect(found).to.include(`${rule}: ${from} ${to.replace('node:', '')}`)
    })

  it('has an example for each rule', () => {
    expect(new Set(refused.map(([rule]) => rule))).to.deep.equal(new Set(rules))
  })
})

describe('source files', () => {
  it('contain no enum', () => {
    const lines = readSourceFiles().flatMap(({ file, text }) =>
      [...text.matchAll(/^\s*(?:export |declare |const )*enum .*/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    )
    expect(lines).to.deep.equal([])
  })
})
