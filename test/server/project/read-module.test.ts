import { expect } from 'chai'
import { parseDefinition } from '../../../server/content-types/parse-definition.js'
import { readModule } from '../../../server/project/read-module.js'

describe('parseDefinition and readModule', () => {
  const value = { info: { singularName: 'a' }, attributes: { n: { type: 'integer', min: -1 } } }
  const literal =
    '{ info: { singularName: "a" }, "attributes": { n: { type: `integer`, min: -1 } } }'

  for (const [what, text, file = 'schema.ts'] of [
    ['export default', `export default ${literal}`],
    ['export default of a constant', `const schema = ${literal}\nexport default schema`],
    ['as const', `export default ${literal} as const`],
    ['satisfies', `export default (${literal} satisfies Schema) as Schema`],
    ['a type that is declared', `const schema: Schema = ${literal}; export default schema;`],
    ['export =', `export = ${literal}`],
    ['module.exports', `'use strict'\nmodule.exports = ${literal}`, 'schema.js'],
    ['exports.default', `exports.default = ${literal};`, 'schema.js'],
    ['its schema', `module.exports = { schema: ${literal} }`, 'index.js'],
    ['spread constants', `const base = ${literal}; export default { ...base, options: undefined }`],
  ] as const)
    it(`read a definition from ${what}`, () => {
      expect(parseDefinition(text, file)).to.deep.equal({ definition: value, skipped: [] })
    })

  it('run no code, and list what is not a literal with its line', () => {
    const text = `import { join } from 'node:path'
const now = () => new Date()
export default {
  info: { singularName: 'a' },
  options: { indexes: [['a'], names()] },
  attributes: {
    on: { type: 'date', default: now() },
    text: { type: 'string', maxLength: process.exit(1), regex: /^a+$/ },
    [join('x')]: { type: 'string' },
    hook() {},
    \u0061: { type: \`\${join}\` },
  },
}`
    expect(parseDefinition(text, 'schema.js')).to.deep.equal({
      definition: {
        info: { singularName: 'a' },
        options: { indexes: [['a']] },
        attributes: { on: { type: 'date' }, text: { type: 'string', regex: '^a+$' }, a: {} },
      },
      skipped: [
        { path: 'options.indexes.1', line: 5 },
        { path: 'attributes.on.default', line: 7 },
        { path: 'attributes.text.maxLength', line: 8 },
        { path: 'attributes.', line: 9 },
        { path: 'attributes.hook', line: 10 },
        { path: 'attributes.a.type', line: 11 },
      ],
    })
  })

  for (const [text, fault] of [
    ['export const a = 1', 'has neither `export default` nor `module.exports`'],
    ['\nexport default make({})', 'exports no literal (line 2)'],
    ['const a = a; export default a', 'exports no literal (line 1)'],
    ['export default [1]', 'must export an object'],
    ['export default {', 'cannot be parsed: Unexpected token (1:16)'],
  ] as const)
    it(`reject ${JSON.stringify(text)}`, () => {
      expect(parseDefinition(text, 'schema.ts')).to.deep.equal({ fault })
    })

  it('limit the number of values if names repeat them', () => {
    const names = Array.from({ length: 30 }, (_, at) => `const a${at + 1} = [a${at}, a${at}]`)
    const text = `const a0 = [1, 1]\n${names.join('\n')}\nexport default { a: a30 }`
    expect(readModule(text, 'schema.js')).to.deep.equal({
      fault: 'contains more than 100000 values',
    })
    const deep = `export default { a: ${'['.repeat(400_000)} }`
    expect(readModule(deep, 'schema.js')).to.have.property('fault')
  })
})
