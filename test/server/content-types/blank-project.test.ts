import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { compile, inProject } from '../../client/compile.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { runQuireInProcess } from '../../support/quire-in-process.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'

const blank = {
  'package.json': { name: 'blank', dependencies: { '@strapi/strapi': '5.54.0' } },
  'src/index.ts': 'export default { register() {}, bootstrap() {} };\n',
  'src/api/.gitkeep': '',
  'src/extensions/.gitkeep': '',
  'config/api.ts': 'export default { rest: { defaultLimit: 25, maxLimit: 100 } };\n',
}

describe('Strapi project without content types', () => {
  const { log, lines } = collectLines()
  let folder: string
  let app: TestApp
  before(async () => {
    folder = await makeFolder(blank)
    app = await startApp({ schemaDir: folder, log })
  })
  after(async () => {
    await app.stop()
    await removeFolder(folder)
  })

  it('starts and logs that there are no content types', () => {
    expect(lines.join('\n')).to.include('There are no content-types in')
  })

  it('returns 404 for content and serves the other endpoints', async () => {
    const get = async (path: string, token?: string) => {
      const { status } = await app.request('GET', path, token === undefined ? {} : { token })
      return status
    }
    expect(await get('/api/anything', app.token)).to.equal(404)
    expect(await get('/api/anything')).to.equal(404)
    expect(await get('/_ready')).to.equal(200)
    expect(await get('/api/users', app.token)).to.equal(200)
    expect(await get('/api/upload/files', app.token)).to.equal(200)
    expect(await get('/api/content-type-builder/content-types', app.token)).to.equal(200)
  })

  it('has a valid OpenAPI document and types that compile', async () => {
    const { body } = await app.request('GET', '/documentation/openapi.json', {
      token: app.adminJwt,
    })
    const { valid, errors } = await new Validator().validate(
      structuredClone(body) as Record<string, unknown>,
    )
    expect(errors).to.equal(undefined)
    expect(valid).to.equal(true)
    const { text } = await app.request(
      'GET',
      '/api/content-type-builder/typescript?client=../../client/main.js',
      { token: app.token },
    )
    const file = inProject('test/client/no-types.d.ts')
    expect(compile([file], { [file]: text }).complaints).to.deep.equal([])
  })

  it('can be used with the check, types, schema, doctor, export, import and repair commands', async () => {
    const env = {
      ...{ MONGODB_URI: await testDatabaseUri(), DATA_DIR: `${folder}/data` },
      SCHEMA_DIR: folder,
    }
    for (const args of [
      ['check', folder],
      ['types', '--schema', folder],
      ['schema'],
      ['doctor'],
      ['export', `${folder}/all.tar.gz`, '--live'],
      ['import', `${folder}/all.tar.gz`],
      ['repair', '--check'],
    ]) {
      const ran = await runQuireInProcess(args, { env, cwd: folder })
      expect(ran.code, `${args.join(' ')}: ${ran.stdout}${ran.stderr}`).to.equal(0)
    }
  }).timeout(60_000)

  it('differs from a folder without definitions, which stops the start', async () => {
    const other = await makeFolder({ 'package.json': { name: 'other' }, 'src/index.js': '' })
    const failure = await readSchemaFiles(other).catch((error: unknown) => error)
    await removeFolder(other)
    expect(String(failure)).to.include('There are no definitions in ')
  })
})
