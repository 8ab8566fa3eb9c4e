import { Writable } from 'node:stream'
import { expect } from 'chai'
import { pino } from 'pino'
import { loadConfig } from '../../../server/settings/config.js'
import { insecureSettings } from '../../../server/settings/insecure-settings.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { testDatabaseUri } from '../../support/database.js'

const careful = {
  NODE_ENV: 'production',
  JWT_SECRET: 'kA0x9Zq+8vYb3mN5/pRt7wLcE2uHsGdF',
  API_TOKEN_SALT: 'fD1g4Hs6Jk8Lz0Xc+Vb3Nm5Qw7/Er9TyU',
  MONGODB_URI: 'mongodb://quire:hidden@db/quire',
  AUTH_REGISTRATION: 'closed',
  CORS_ORIGINS: 'https://site.example',
}

const google = {
  AUTH_PROVIDERS_GOOGLE_CLIENT_ID: 'id',
  AUTH_PROVIDERS_GOOGLE_CLIENT_SECRET: 'a-secret',
  AUTH_PROVIDERS_GOOGLE_REDIRECT: 'https://site.example/done',
}

const warningsFor = (env: object, actions: readonly string[] = []): readonly string[] =>
  insecureSettings(loadConfig({ ...careful, ...env }, '/'), actions)

describe('insecureSettings', () => {
  it('returns nothing for a careful configuration', () => {
    expect(warningsFor({})).to.deep.equal([])
    expect(warningsFor({ MONGODB_URI: 'mongodb://localhost:27017,[::1]/quire' })).to.deep.equal([])
    const mail = { EMAIL_URL: 'smtps://u:p@mail', EMAIL_FROM: 'a@b.example' }
    expect(warningsFor({ ...mail, HTTP_PUBLIC_URL: 'https://api.example' })).to.deep.equal([])
    expect(warningsFor({ METRICS_ENABLED: 'true', METRICS_PORT: '9090' })).to.deep.equal([])
    const scraper = { METRICS_ENABLED: 'true', METRICS_TOKEN: 'kA0x9Zq-8vYb3mN5' }
    expect(warningsFor(scraper)).to.deep.equal([])
    expect(warningsFor({ ...google, HTTP_PUBLIC_URL: 'https://api.example' })).to.deep.equal([])
    expect(
      warningsFor({}, ['api::tag.tag.find', 'plugin::users-permissions.auth.register']),
    ).to.deep.equal([])
  })

  for (const [env, sentence] of [
    [{ JWT_SECRET: '' }, 'JWT_SECRET is not set'],
    [{ API_TOKEN_SALT: '' }, 'API_TOKEN_SALT is not set'],
    [{ JWT_SECRET: 'abc'.repeat(20) }, 'JWT_SECRET is not a random text'],
    [{ UPLOAD_PRIVATE: 'true' }, 'UPLOAD_SIGNING_KEY is not set'],
    [{ UPLOAD_SIGNING_KEY: 'abc'.repeat(20) }, 'UPLOAD_SIGNING_KEY is not a random text'],
    [{ API_TOKEN_SALT: careful.JWT_SECRET }, 'are the same'],
    [{ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'Admin123'.toLowerCase() }, 'ADMIN_PASSWORD'],
    [{ AUTH_REGISTRATION: 'open' }, 'auth.registration is open'],
    [{ AUTH_RATE_LIMIT_MAX: '1000' }, 'auth.rateLimit.max'],
    [{ API_REST_PUBLIC_DRAFTS: 'true' }, 'api.rest.publicDrafts'],
    [{ CORS_ORIGINS: '*' }, 'cors.origins'],
    [{ UPLOAD_DENIED_TYPES: 'text/html' }, 'upload.deniedTypes'],
    [{ EMAIL_URL: 'smtp://mail', EMAIL_FROM: 'a@b.example' }, 'http.publicUrl'],
    [{ METRICS_ENABLED: 'true' }, 'metrics.enabled shows /metrics'],
    [{ AUTH_MODE: 'refresh' }, 'cookies with refresh tokens'],
    [google, 'login providers send users and their codes to it'],
    [{ MONGODB_URI: 'mongodb://db/quire' }, 'MONGODB_URI has no user'],
  ] as const) {
    it(`warns: ${sentence}`, () => {
      const sentences = warningsFor(env)
      expect(sentences).to.have.lengthOf(1)
      expect(sentences[0]).to.include(sentence)
      expect(sentences[0]).not.to.include(careful.JWT_SECRET).and.not.include('admin123')
    })
  }

  it('warns of a mail server that is not verified', () => {
    const env = { EMAIL_FROM: 'a@b.example', HTTP_PUBLIC_URL: 'https://api.example' }
    expect(warningsFor({ ...env, EMAIL_URL: 'smtp://mail?ignoreTLS=true' })).to.have.lengthOf(1)
  })

  it('warns of callers without credentials who may write', () => {
    const actions = [
      'api::tag.tag.create',
      'api::tag.tag.find',
      'api::tag.tag.updateDraft',
      'plugin::upload.content-api.upload',
    ]
    expect(warningsFor({}, actions)).to.deep.equal([
      'Callers without credentials can change content or users: api::tag.tag.create, api::tag.tag.updateDraft, plugin::upload.content-api.upload',
    ])
  })

  it('logs its result at a start in production, but not in development', async () => {
    for (const [NODE_ENV, expected] of [
      ['production', ['auth.registration is open: anybody can register as a user']],
      ['development', []],
    ] as const) {
      let text = ''
      const log = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          text += chunk.toString()
          done()
        },
      })
      const MONGODB_URI = await testDatabaseUri()
      const where = { PORT: '0', HOST: '127.0.0.1', MONGODB_URI, AUTH_REGISTRATION: 'open' }
      const quire = await startQuire(loadConfig({ ...careful, ...where, NODE_ENV }, '/'), {
        log: pino(log),
      })
      await quire.services.db.dropDatabase()
      await quire.stop()
      const warnings = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Readonly<{ event?: string; msg: string }>)
        .filter(({ event }) => event === 'insecure-setting')
        .map(({ msg }) => msg)
      expect(warnings, NODE_ENV).to.deep.equal(expected)
    }
  })
})
