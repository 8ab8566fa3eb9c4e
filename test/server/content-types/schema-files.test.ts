import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { lineOf, type SchemaProblem } from '../../../engine/schema/schema-error.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { folderForEach } from '../../support/temporary-folder.js'

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../../test/fixtures/${name}`, import.meta.url))

const note = { info: { singularName: 'note', pluralName: 'notes' }, attributes: {} }

describe('SCHEMA_DIR', () => {
  const folderOf = folderForEach()

  const failureOf = async (folder: string) => {
    const failure = await readSchemaFiles(folder).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
    return (failure as Error).message.replaceAll(folder, '<dir>')
  }

  const blog = [
    'api::front-page.front-page',
    'api::person.person',
    'api::post.post',
    'plugin::users-permissions.user',
    'block.quote',
    'shared.seo',
  ]

  it('may be a Strapi project', async () => {
    const definitions = await readSchemaFiles(fixture('blog'))
    expect(definitions.map(({ uid }) => uid)).to.deep.equal(blog)
    expect(definitions[0]?.source).to.equal(
      path.join(fixture('blog'), 'src/api/front-page/content-types/front-page/schema.json'),
    )
    expect(() => createRegistryFrom(definitions, 1)).not.to.throw()
  })

  it('may be the src folder of a project', async () => {
    const definitions = await readSchemaFiles(fixture('blog/src'))
    expect(definitions.map(({ uid }) => uid)).to.deep.equal(blog)
  })

  it('may have the flat layout', async () => {
    const definitions = await readSchemaFiles(fixture('flat'))
    expect(definitions.map(({ kind, uid }) => [kind, uid])).to.deep.equal([
      ['content-type', 'api::note.note'],
      ['component', 'shared.link'],
    ])
    expect(() => createRegistryFrom(definitions, 1)).not.to.throw()
  })

  it('may have folders without definitions', async () => {
    const folder = await folderOf({ 'content-types/.gitkeep': '' })
    expect(await readSchemaFiles(folder)).to.deep.equal([])
  })

  it('is rejected without a known folder', async () => {
    const folder = await folderOf({ 'README.md': 'nothing here', 'extensions/notes.txt': '' })
    expect(await failureOf(folder)).to.equal(
      'There are no definitions in <dir>. It must be a Strapi project, or contain content-types/*.json or api/*/content-types/*/schema.json',
    )
  })

  it('uses the src folder of a project even if the project has other known folders', async () => {
    const folder = await folderOf({
      'package.json': '{}',
      'extensions/users-permissions/notes.txt': '',
      'src/api/note/content-types/note/schema.json': note,
    })
    expect((await readSchemaFiles(folder)).map(({ uid }) => uid)).to.deep.equal(['api::note.note'])
  })

  it('is rejected if a file has a key twice', async () => {
    const folder = await folderOf({
      'content-types/note.json': '{ "info": {},\n  "attributes": {}, "attributes": {} }',
      'content-types/other.json': '{ "a": [{ "b": 1, "c": { "b": 1 }, "b": 2 }] }',
    })
    expect(await failureOf(folder)).to.equal(
      [
        'The schema has 2 problems:',
        '  <dir>/content-types/note.json: has the key "attributes" twice (line 2, column 21)',
        '  <dir>/content-types/other.json: has the key "b" twice (line 1, column 36)',
      ].join('\n'),
    )
  })

  it('must be a folder', async () => {
    const missing = path.join(await folderOf({ file: 'x' }), 'missing')
    expect(await failureOf(missing)).to.equal('There is no folder <dir>')
  })

  it('is rejected with the line of each file that is not JSON', async () => {
    const folder = await folderOf({
      'content-types/a.json': '{\n  "info": {,\n}',
      'content-types/b.json': '',
      'content-types/c.json': '[]',
    })
    expect(await failureOf(folder)).to.equal(
      [
        'The schema has 3 problems:',
        "  <dir>/content-types/a.json: is not JSON: Expected property name or '}' in JSON at position 13 (line 2, column 12)",
        '  <dir>/content-types/b.json: is not JSON: Unexpected end of JSON input (line 1, column 1)',
        '  <dir>/content-types/c.json: must hold a JSON object',
      ].join('\n'),
    )
  })

  it('may contain files with a byte order mark', async () => {
    const folder = await folderOf({ 'content-types/note.json': `\uFEFF${JSON.stringify(note)}` })
    expect(await readSchemaFiles(folder)).to.have.lengthOf(1)
  })

  it('is rejected if the folder of a content type has no schema file', async () => {
    const folder = await folderOf({ 'api/note/content-types/note/lifecycles.js': '' })
    expect(await failureOf(folder)).to.match(
      /note\/content-types\/note\/schema: is missing: add schema\.json, schema\.js or schema\.ts/,
    )
  })

  it('may contain links within the folder, but not out of it', async () => {
    const outside = await folderOf({ 'note.json': note })
    const folder = await folderOf({ 'content-types/README': '', '..data/note.json': note })
    await symlink('../..data/note.json', path.join(folder, 'content-types/note.json'))
    expect(await readSchemaFiles(folder)).to.have.lengthOf(1)
    await symlink(path.join(outside, 'note.json'), path.join(folder, 'content-types/other.json'))
    expect(await failureOf(folder)).to.include(
      '<dir>/content-types/other.json: is a link to a place outside of "<dir>"',
    )
  })

  it('is rejected if a file exceeds a megabyte', async () => {
    const folder = await folderOf({ 'content-types/README': '' })
    await writeFile(path.join(folder, 'content-types/big.json'), ' '.repeat(1_048_577))
    expect(await failureOf(folder)).to.include('has 1048577 bytes')
  })

  describe('with plugins', () => {
    const order = `{
  kind: 'collectionType',
  info: { singularName: 'order', pluralName: 'orders', displayName: 'Order' },
  attributes: { no: { type: 'string', default: pick() } },
}`
    const read = async (files: Readonly<Record<string, string>>) => {
      const given = Object.entries(files).map(([name, text]) => [`plugins/shop/${name}`, text])
      const folder = await folderOf({
        'content-types/note.json': note,
        ...(Object.fromEntries(given) as Readonly<Record<string, string>>),
      })
      const warnings: string[] = []
      const warn = (warning: SchemaProblem) =>
        void warnings.push(lineOf(warning).replaceAll(`${folder}/plugins/shop/`, ''))
      const definitions = await readSchemaFiles(folder, { warn })
      createRegistryFrom(definitions, 1)
      return { uids: definitions.slice(1).map(({ uid }) => uid), warnings }
    }
    const left = 'attributes.no.default: is not a literal, and is ignored'

    it('reads types that the list declares by constants or in place', async () => {
      expect(
        await read({
          'server/content-types/index.js': `'use strict'
const schema = ${order}
const lifecycles = require('./lifecycles')
module.exports = { order: { schema, lifecycles } }
`,
        }),
      ).to.deep.equal({
        uids: ['plugin::shop.order'],
        warnings: [`server/content-types/index.js: ${left} (line 5)`],
      })
      expect(
        await read({
          'server/src/content-types/index.ts': `export default { 'order': { schema: ${order} } }`,
          // `lifecycles` in the folder of a definition is ignored, because it is code.
          'server/src/content-types/order/lifecycles.ts': 'export default {}',
        }),
      ).to.deep.equal({
        uids: ['plugin::shop.order'],
        warnings: [`server/src/content-types/index.ts: ${left} (line 4)`],
      })
    })

    it('reads types in folders that the list imports', async () => {
      const { uids, warnings } = await read({
        'server/src/content-types/index.ts': `import orderItem from './order-item'
export default { orderItem }
`,
        'server/src/content-types/order-item/index.ts':
          "import schema from './schema'\nexport default { schema }",
        'server/src/content-types/order-item/schema.ts': `export default ${order}`,
      })
      expect(uids).to.deep.equal(['plugin::shop.order'])
      expect(warnings).to.deep.equal([
        `server/src/content-types/order-item/schema.ts: ${left} (line 4)`,
      ])
    })

    it('reports types that are not literals, with file and line', async () => {
      const { uids, warnings } = await read({
        'server/content-types/index.js': `const order = require('../schemas/order')
module.exports = {
  order,
  bill: { schema: require('../schemas/bill') },
  ...require('../more'),
}
`,
        'server/content-types/tax/index.js': "module.exports = { schema: require('../tax') }",
        'server/other/content-types/index.js': 'module.exports = make()',
        'server/third/content-types/index.js': 'module.exports = {}',
      })
      expect(uids).to.deep.equal([])
      const list = 'server/content-types/index.js: is left out:'
      expect(warnings).to.have.members([
        `${list} "order" is not a literal in this file (line 1)`,
        `${list} "bill.schema" is not a literal in this file (line 4)`,
        `${list} a part is not a literal in this file (line 5)`,
        'server/content-types/tax/index.js: is left out: "schema" is not a literal in this file (line 1)',
        'server/other/content-types/index.js: is left out: exports no literal (line 1)',
      ])
    })
  })
})
