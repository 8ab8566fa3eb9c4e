import { expect } from 'chai'
import { readConfigModule } from '../../../server/project/read-config-module.js'

const env = {
  PORT: '4000',
  ON: 'true',
  OFF: 'no',
  LIST: '["https://a.org", https://b.org]',
  JSON: '{"a":[1]}',
  BAD: '{',
  EMPTY: '',
  NODE_ENV: 'production',
  RATIO: '0.5',
}

const valueOf = (text: string) => {
  const read = readConfigModule(text, 'config/a.ts', env)
  return 'fault' in read ? read : { value: read.value, skipped: read.skipped }
}
const expressionOf = (text: string) => {
  const read = readConfigModule(`export default ({ env }) => ({ x: ${text} })`, 'config/a.ts', env)
  if ('fault' in read) throw new Error(read.fault)
  expect(read.skipped, text).to.deep.equal([])
  return (read.value as { x?: unknown }).x
}

describe('readConfigModule', () => {
  const forms: Readonly<Record<string, string>> = {
    'an object': 'module.exports = { a: 4000 }',
    'a function': "module.exports = ({ env }) => ({ a: env.int('PORT', 1) })",
    'a function with types': `import type { Core } from '@strapi/strapi'
      const config = ({ env }: Core.Config.Shared.ConfigParams): Core.Config.Server => ({ a: env.int('PORT') })
      export default config`,
    'a function with a body': `export default function ({ env }) {
      const port = env.int('PORT')
      return { a: port }
    }`,
    'a declared function': `function config(context) { return { a: context.env.int('PORT') } }
      module.exports = config`,
    'a definition': "export default defineServerConfig(({ env }) => ({ a: env.int('PORT') }))",
    'a named definition': "export default defineConfig('server', { a: 4000 } as const)",
  }
  for (const [form, text] of Object.entries(forms))
    it(`reads ${form}`, () => {
      expect(valueOf(text)).to.deep.equal({ value: { a: 4000 }, skipped: [] })
    })

  const expressions: readonly (readonly [text: string, value: unknown])[] = [
    ["env('PORT')", '4000'],
    ["env('PORT', 1337)", '4000'],
    ["env('NONE', 1337)", 1337],
    ["env('NONE')", undefined],
    ["env('EMPTY', 'a')", ''],
    ["env('NONE', env('PORT'))", '4000'],
    ["env.int('PORT', 1)", 4000],
    ["env.float('RATIO', 1)", 0.5],
    ["env.bool('ON', false)", true],
    ["env.bool('OFF', true)", false],
    ["env.bool('NONE', true)", true],
    ["env.array('LIST')", ['https://a.org', 'https://b.org']],
    ["env.array('NONE', ['*'])", ['*']],
    ["env.json('JSON')", { a: [1] }],
    ["env.json('BAD', {})", undefined],
    ["env.oneOf('PORT', ['4000', '1'], '1')", '4000'],
    ["env.oneOf('PORT', ['2', '1'], '1')", '1'],
    ['process.env.PORT', '4000'],
    ["process.env['PORT'] || 'x'", '4000'],
    ["process.env.NONE ?? 'x'", 'x'],
    ["process.env.EMPTY || 'x'", 'x'],
    ['Number(process.env.PORT)', 4000],
    ["parseInt(env('PORT'), 10) + 1", 4001],
    ["parseInt(env('PORT'))", 4000],
    ["parseInt('ff', 16)", 255],
    ["parseFloat('12.5px')", 12.5],
    ["Number('0x10')", 16],
    ['200 * 1024 ** 2', 200 * 1024 ** 2],
    ['-1', -1],
    ["env('NODE_ENV') === 'production' ? 1 : 2", 1],
    ["env('NODE_ENV') !== 'production' && env('PORT')", false],
    ['!env.bool("ON")', false],
    ["env('PORT') == 4000", true],
    ["env('PORT') != 4001", true],
    ["env('NONE') == null", true],
    ["env('EMPTY') != undefined", true],
    ["`http://localhost:${env('PORT')}/x`", 'http://localhost:4000/x'],
    ["`${env('NONE')}`", 'undefined'],
    ["'http://' + process.env.PORT", 'http://4000'],
    ["env('LIST').split(',')", ['["https://a.org"', ' https://b.org]']],
    ["process.env.NONE?.split(',')", undefined],
  ]
  for (const [text, value] of expressions)
    it(`evaluates ${text}`, () => {
      expect(expressionOf(text)).to.deep.equal(value)
    })

  it('runs no code, and skips unsupported expressions with their line', () => {
    const text = `const secret = require('./secret')
      process.exit(3)
      export default ({ env }) => ({
        a: 1,
        b: () => process.exit(4),
        c: secret,
        d: env.date('PORT'),
        e: env(process.exit(5)),
        f: [env('PORT'), globalThis.x],
        g: \`\${process.exit(6)}\`,
        h: process.exit(7) || 1,
        i: env('constructor'),
        j: env.toString('PORT'),
        k: { ...secret },
      })`
    expect(valueOf(text)).to.deep.equal({
      value: { a: 1, f: ['4000'], k: {} },
      skipped: [
        { path: 'b', line: 5 },
        { path: 'c', line: 1 },
        { path: 'd', line: 7 },
        { path: 'e', line: 8 },
        { path: 'f.1', line: 9 },
        { path: 'g', line: 10 },
        { path: 'h', line: 11 },
        { path: 'j', line: 13 },
        { path: 'k', line: 1 },
      ],
    })
  })

  const none: Readonly<Record<string, RegExp>> = {
    'export default ({ env }) => { if (env("A")) return {}; return { a: 1 } }':
      /^exports a function that does more than return a value$/,
    'export default ({ env }) => { throw new Error() }': /does more than return/,
    'export const a = 1': /^has neither/,
    "export default require('./other')": /^exports no literal \(line 1\)$/,
    'export default {': /^cannot be parsed/,
    'const a = () => a; export default a': /exports no literal|does more/,
  }
  for (const [text, fault] of Object.entries(none))
    it(`rejects ${JSON.stringify(text)}`, () => {
      expect(valueOf(text)).to.have.property('fault').that.matches(fault)
    })
})
