import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { loadConfig, type Config } from '../../../server/settings/config.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import { folderForEach, writeFiles } from '../../support/temporary-folder.js'
import { shop } from '../project/shop.js'

const config: Readonly<Record<string, string>> = {
  'config/api.ts': `export default {
  rest: { prefix: '/v1/', defaultLimit: 10, maxLimit: 250, withCount: true, strictParams: false },
  responses: { privateAttributes: ['_v'] },
}
`,
  'config/server.js': `module.exports = ({ env }) => ({
  host: env('HOST', '127.0.0.7'),
  port: env.int('PORT', 1400),
  url: env('PUBLIC_URL', ''),
  proxy: true,
  app: { keys: env.array('APP_KEYS') },
  webhooks: { populateRelations: env.bool('WEBHOOKS_POPULATE_RELATIONS', false) },
  cron: { enabled: true, tasks: require('./cron-tasks') },
})
`,
  'config/middlewares.ts': `export default ({ env }) => [
  'strapi::logger',
  'strapi::errors',
  {
    name: 'strapi::security',
    config: { contentSecurityPolicy: { directives: { 'img-src': ["'self'"] } } },
  },
  {
    name: 'strapi::cors',
    config: { origin: [env('FRONT', 'http://localhost:3000'), process.env.OTHER], headers: '*' },
  },
  { name: 'strapi::body', config: { jsonLimit: '3mb', formidable: { maxFileSize: 50 * 1024 * 1024 } } },
  'strapi::query',
  'global::timing',
  { resolve: './lib/trace' },
  'plugin::audit.log',
  'strapi::compression',
]
`,
  'config/plugins.ts': `export default ({ env }) => ({
  upload: {
    config: {
      provider: 'aws-s3',
      providerOptions: { s3Options: { secretAccessKey: env('AWS_SECRET') } },
      sizeLimit: 100 * 1024 * 1024,
      security: { deniedTypes: ['image/svg+xml'] },
      breakpoints: { xlarge: 1920, small: 500 },
    },
  },
  'users-permissions': {
    config: {
      jwtSecret: env('JWT_SECRET'),
      jwt: { expiresIn: '7d' },
      jwtManagement: 'refresh',
      sessions: { accessTokenLifespan: 900, httpOnly: true },
      ratelimit: { interval: { min: 2 }, max: 30 },
    },
  },
  email: { config: { settings: { defaultFrom: 'a@example.org', defaultReplyTo: 'none' } } },
  graphql: { enabled: true, config: { depthLimit: 7 } },
  sitemap: { enabled: false },
  audit: { enabled: true, resolve: './lib/audit' },
})
`,
  'config/admin.ts': "export default ({ env }) => ({ auth: { secret: env('ADMIN_JWT_SECRET') } })",
  'config/database.ts': 'export default ({ env }) => { if (env("A")) return 1; return 2 }',
  'config/search.js': 'module.exports = { index: "a" }',
}

describe('configuration of a Strapi project', () => {
  const folderOf = folderForEach()
  const load = (folder: string, env: Readonly<Record<string, string>> = {}): Config =>
    loadConfig({ SCHEMA_DIR: folder, ...env }, folder)
  const takenOf = ({ project }: Config) =>
    Object.fromEntries(project.taken.map(({ name, value }) => [name, value]))

  it('provides the settings that correspond to it', async () => {
    const loaded = load(await folderOf({ ...shop, ...config }))
    expect(takenOf(loaded)).to.deep.equal({
      'api.rest.prefix': '/v1',
      'api.rest.defaultLimit': 10,
      'api.rest.maxLimit': 250,
      'api.rest.unknownKeys': 'ignore',
      'api.responses.privateAttributes': ['_v'],
      HOST: '127.0.0.7',
      PORT: 1400,
      'http.trustProxy': '1',
      'cors.origins': ['http://localhost:3000'],
      'http.bodyLimit': 3 * 1024 ** 2,
      'upload.sizeLimit': 50 * 1024 ** 2,
      'upload.deniedTypes': ['image/svg+xml'],
      'upload.breakpoints': ['xlarge=1920', 'small=500'],
      'auth.jwtExpiresInS': 604_800,
      'auth.mode': 'refresh',
      'auth.sessions.accessExpiresInS': 900,
      'auth.sessions.httpOnly': true,
      'auth.rateLimit.max': 15,
      'email.from': 'a@example.org',
    })
    expect(loaded).to.include({ host: '127.0.0.7', port: 1400 })
    expect(loaded.settings).to.include({ 'api.rest.maxLimit': 250, 'auth.mode': 'refresh' })
  })

  it('is reported by file, without its values, if nothing corresponds to it', async () => {
    const { project } = load(await folderOf({ ...shop, ...config }))
    expect(project.untaken).to.deep.equal([
      "config/admin.ts is ignored: it configures Strapi's admin panel",
      'config/database.ts is ignored: MONGODB_URI or DATA_DIR says where content is stored',
      'config/middlewares.ts: strapi::compression, strapi::security.contentSecurityPolicy.directives.img-src, strapi::cors.headers have no equivalent in Quire',
      'config/plugins.ts: email.config.settings.defaultReplyTo (not a valid value of email.replyTo) has no equivalent in Quire',
      'config/search.js is ignored: Quire does not read it',
      'config/server.js: cron.enabled, cron.tasks (not a literal, line 8) have no equivalent in Quire',
      'The project keeps files in S3, but no bucket is configured: set upload.s3.bucket',
    ])
  })

  it('provides the S3 settings and credentials of the AWS provider, without reporting the credentials', async () => {
    const plugins = `module.exports = ({ env }) => ({ upload: { config: {
      provider: 'aws-s3',
      providerOptions: {
        baseUrl: env('CDN_URL'),
        rootPath: env('CDN_ROOT_PATH'),
        s3Options: {
          credentials: { accessKeyId: env('AWS_ACCESS_KEY_ID'), secretAccessKey: env('AWS_ACCESS_SECRET') },
          region: env('AWS_REGION'),
          endpoint: 's3.example.org',
          forcePathStyle: true,
          params: { ACL: env('AWS_ACL', 'public-read'), signedUrlExpires: 900, Bucket: env('AWS_BUCKET') },
        },
      },
      actionOptions: { upload: {}, uploadStream: {}, delete: {} },
    } } })`
    const env = {
      ...{
        AWS_ACCESS_KEY_ID: 'the-key',
        AWS_ACCESS_SECRET: 'the-secret',
        AWS_BUCKET: 'shop-media',
      },
      ...{ AWS_REGION: 'eu-central-1', CDN_URL: 'https://cdn.example.org', CDN_ROOT_PATH: 'media' },
    }
    const folder = await folderOf({ ...shop, 'config/plugins.js': plugins })
    const { settings, s3Credentials, project } = load(folder, env)
    expect(settings).to.include({
      'upload.provider': 's3',
      'upload.s3.bucket': 'shop-media',
      'upload.s3.region': 'eu-central-1',
      'upload.s3.endpoint': 'https://s3.example.org',
      'upload.s3.forcePathStyle': true,
      'upload.s3.prefix': 'media/',
      'upload.s3.publicUrl': 'https://cdn.example.org',
    })
    expect(s3Credentials).to.deep.equal({ accessKeyId: 'the-key', secretAccessKey: 'the-secret' })
    expect(JSON.stringify(project)).to.not.include('the-')
    expect(project.untaken).to.deep.equal([
      'config/plugins.js: upload.config.providerOptions.s3Options.params.ACL has no equivalent in Quire',
    ])
  })

  it('gives way to quire.config.json, which gives way to the environment', async () => {
    const folder = await folderOf({
      ...shop,
      ...config,
      'quire.config.json': { api: { rest: { maxLimit: 40, defaultLimit: 5 } } },
    })
    const loaded = load(folder, { API_REST_MAX_LIMIT: '30', HOST: '127.0.0.1', PORT: '2000' })
    expect(loaded).to.include({ host: '127.0.0.1', port: 2000 })
    expect(loaded.settings).to.include({ 'api.rest.maxLimit': 30, 'api.rest.defaultLimit': 5 })
    const taken = takenOf(loaded)
    expect(taken).not.to.have.any.keys('api.rest.maxLimit', 'api.rest.defaultLimit')
    expect(taken).to.include({ HOST: '127.0.0.1', PORT: 2000 })
  })

  it('takes precedence over the defaults of a profile', async () => {
    const folder = await folderOf({
      ...shop,
      'config/api.js': 'module.exports = { rest: { strictParams: true } }',
    })
    expect(load(folder, { PROFILE: 'strapi' }).settings['api.rest.unknownKeys']).to.equal('refuse')
  })

  it('reads the variables that it names from the environment or .env, and no others', async () => {
    const folder = await folderOf({
      ...shop,
      ...config,
      '.env':
        'PORT=1500\nFRONT="https://shop.example.org" # ours\nAPI_REST_MAX_LIMIT=7\nJWT_SECRET=abc\n',
    })
    const loaded = load(folder, { FRONT: 'https://www.example.org', OTHER: 'https://b.org' })
    expect(loaded.port).to.equal(1500)
    expect(loaded.settings['cors.origins']).to.deep.equal([
      'https://www.example.org',
      'https://b.org',
    ])
    expect(loaded.settings['api.rest.maxLimit']).to.equal(250)
    expect(loaded.jwtSecret).to.equal(undefined)
  })

  it('prefers the files of the environment that NODE_ENV names', async () => {
    const folder = await folderOf({
      ...shop,
      'config/api.json': { rest: { maxLimit: 50, defaultLimit: 20 } },
      'config/env/production/api.json': { rest: { maxLimit: 60 } },
      'config/env/development/api.json': { rest: { maxLimit: 70 } },
    })
    const maxLimit = (env: Readonly<Record<string, string>>) =>
      load(folder, env).settings['api.rest.maxLimit']
    expect(maxLimit({ NODE_ENV: 'production' })).to.equal(60)
    expect(maxLimit({})).to.equal(70)
    expect(maxLimit({ NODE_ENV: 'staging' })).to.equal(50)
    expect(maxLimit({ NODE_ENV: '../../config/env/production' })).to.equal(50)
    const { project } = load(folder, { NODE_ENV: 'production' })
    expect(project.taken.map(({ name, file }) => [name, file])).to.deep.equal([
      ['api.rest.maxLimit', 'config/env/production/api.json'],
      ['api.rest.defaultLimit', 'config/api.json'],
    ])
  })

  it('does not stop the start if it is invalid', async () => {
    const folder = await folderOf({
      ...shop,
      'config/api.js': 'module.exports = { rest: { maxLimit: -1, defaultLimit: null } }',
      'config/server.ts': 'export default ({',
      'config/plugins.js': 'module.exports = { upload: { config: { sizeLimit: "much" } } }',
      'config/middlewares.js': "module.exports = { 'strapi::cors': {} }",
    })
    const { project, settings } = load(folder)
    expect(settings).to.include({ 'api.rest.maxLimit': 100, 'upload.sizeLimit': 209_715_200 })
    expect(project.taken).to.deep.equal([])
    expect(project.untaken[0]).to.equal(
      'config/api.js: rest.maxLimit (not a valid value of api.rest.maxLimit), rest.defaultLimit (not a valid value of api.rest.defaultLimit) have no equivalent in Quire',
    )
    expect(project.untaken[1]).to.equal(
      'config/plugins.js: upload.config.sizeLimit has no equivalent in Quire',
    )
    expect(project.untaken[2]).to.match(/^config\/server\.ts is ignored: it cannot be parsed/)
  })

  it('is read in projects only, and not through links out of them', async () => {
    const api = { rest: { maxLimit: 3 } }
    const outside = await folderOf({ 'api.json': api, '.env': 'X=1' })
    const flat = await folderOf({ 'config/api.json': api })
    expect(load(flat).settings['api.rest.maxLimit']).to.equal(100)
    const linked = await folderOf(shop)
    await symlink(outside, path.join(linked, 'config'))
    expect(load(linked).settings['api.rest.maxLimit']).to.equal(100)
    const file = await folderOf({ ...shop, 'config/notes.txt': '' })
    await symlink(path.join(outside, 'api.json'), path.join(file, 'config/api.json'))
    const loaded = load(file)
    expect(loaded.settings['api.rest.maxLimit']).to.equal(100)
    expect(loaded.project.untaken[0]).to.match(
      /^config\/api\.json is ignored: it is a link to a place outside of/,
    )
  })

  it('is logged at the start, with the plugins and middlewares that it names', async () => {
    const schemaDir = await folderOf(shop)
    await writeFiles(schemaDir, config)
    const { log, lines } = collectLines()
    const app = await startApp({ schemaDir, log })
    await app.stop()
    const text = lines.join('')
    const entries = lines.map(
      (line) => JSON.parse(line) as { event?: string; kind?: string; msg: string },
    )
    const settings = entries.filter(({ event }) => event === 'project-settings')
    expect(settings).to.have.lengthOf(8)
    expect(settings[0]?.msg).to.match(
      /^Settings of the project: api\.rest\.prefix \(config\/api\.ts\), api\.rest\.defaultLimit \(config\/api\.ts\), api\.rest\.maxLimit \(config\/api\.ts\), /,
    )
    const code = (kind: string) => entries.find((line) => line.kind === kind)?.msg
    expect(code('plugins')).to.match(
      /^3 plugins will not run \(graphql \(config\/plugins\.ts\), audit \(config\/plugins\.ts\), menus \(package\.json\)\)/,
    )
    expect(code('middlewares')).to.match(
      /^2 middlewares will not run \(\.\/lib\/trace \(config\/middlewares\.ts\), plugin::audit\.log \(config\/middlewares\.ts\)\)/,
    )
    expect(text).not.to.include('a@example.org')
  })
})
