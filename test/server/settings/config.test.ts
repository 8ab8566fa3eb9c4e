import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError, loadConfig } from '../../../server/settings/config.js'
import { variableOf } from '../../../server/settings/read-settings.js'
import { settingsTable } from '../../../server/settings/settings.js'

describe('loadConfig', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-config-'))))
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const load = (env: Record<string, string> = {}) => loadConfig(env, folder)
  const write = (content: unknown, name = 'quire.config.json') =>
    writeFile(join(folder, name), JSON.stringify(content))
  const problems = (env: Record<string, string> = {}): readonly string[] => {
    try {
      load(env)
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
    return []
  }

  it('requires no settings', () => {
    const config = load()
    expect(config).to.deep.include({ port: 1337, host: '0.0.0.0', dataDir: join(folder, '.data') })
    expect(config.settings['api.rest.maxLimit']).to.equal(100)
    const { mongodbUri, schemaDir, jwtSecret, admin } = config
    expect([mongodbUri, schemaDir, jwtSecret, admin]).to.deep.equal(Array(4).fill(undefined))
    expect(config).to.be.frozen
    expect(config.settings).to.be.frozen
  })

  it('requires both S3 credentials or neither, and a bucket for S3', () => {
    const both = { UPLOAD_S3_ACCESS_KEY_ID: 'key', UPLOAD_S3_SECRET_ACCESS_KEY: 'secret' }
    expect(load(both).s3Credentials).to.deep.equal({
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    })
    expect(problems({ UPLOAD_S3_ACCESS_KEY_ID: 'key' })).to.deep.equal([
      'UPLOAD_S3_ACCESS_KEY_ID and UPLOAD_S3_SECRET_ACCESS_KEY must be set together',
    ])
    expect(problems({ UPLOAD_PROVIDER: 's3' })).to.deep.equal([
      'upload.s3.bucket is required when upload.provider is s3',
    ])
  })

  it('reads the common variables from the environment', async () => {
    await mkdir(join(folder, 'types'))
    expect(
      load({
        PORT: '80',
        HOST: '::1',
        MONGODB_URI: 'mongodb://db/x',
        DATA_DIR: 'data',
        SCHEMA_DIR: 'types',
        JWT_SECRET: 'j'.repeat(32),
        JWT_SECRET_FORMER: 'k,l',
        API_TOKEN_SALT: 's'.repeat(32),
        UPLOAD_SIGNING_KEY: 'u'.repeat(32),
        ADMIN_EMAIL: 'a@example.org',
        ADMIN_PASSWORD: ' p ',
        NODE_ENV: 'production',
      }),
    ).to.deep.include({
      port: 80,
      host: '::1',
      mongodbUri: 'mongodb://db/x',
      dataDir: join(folder, 'data'),
      schemaDir: join(folder, 'types'),
      jwtSecret: 'j'.repeat(32),
      formerJwtSecrets: ['k', 'l'],
      apiTokenSalt: 's'.repeat(32),
      uploadSigningKey: 'u'.repeat(32),
      admin: { email: 'a@example.org', password: ' p ' },
      production: true,
    })
  })

  it('rejects secrets shorter than 32 bytes in production, without printing them', () => {
    const short = {
      JWT_SECRET: 'toBeModified',
      API_TOKEN_SALT: 'é'.repeat(15),
      UPLOAD_SIGNING_KEY: 'k',
    }
    expect(problems({ ...short, NODE_ENV: 'production' })).to.deep.equal([
      'JWT_SECRET must have at least 32 bytes in production. To generate one: openssl rand -base64 33',
      'API_TOKEN_SALT must have at least 32 bytes in production. To generate one: openssl rand -base64 33',
      'UPLOAD_SIGNING_KEY must have at least 32 bytes in production. To generate one: openssl rand -base64 33',
    ])
    expect(problems(short)).to.deep.equal([])
  })

  it('requires a sender for mail, and does not print the password of the mail server', () => {
    expect(problems({ EMAIL_URL: 'smtp://user:hidden@mail' })).to.deep.equal([
      'email.from is required when email.url is set',
    ])
    const wrong = problems({ EMAIL_URL: 'https://user:hidden@mail', EMAIL_FROM: 'a@b.example' })
    expect(wrong).to.have.lengthOf(1)
    expect(wrong[0]).to.match(/^EMAIL_URL must be the address of an SMTP server/)
    expect(wrong[0]).not.to.include('hidden')
  })

  it('delays the last purge until after the latest stale response from the cache', () => {
    const againMs = (ms: string) =>
      load({ CACHE_MAX_STALE_MS: ms }).settings['http.cache.purgeAgainMs']
    expect([againMs('0'), againMs('4000'), againMs('4500')]).to.deep.equal([5000, 5000, 5500])
  })

  it('gives large files the time that they take at 2 megabits per second', () => {
    const timeoutMs = (bytes: string) =>
      load({ UPLOAD_SIZE_LIMIT: bytes }).settings['upload.timeoutMs']
    expect([timeoutMs('1000'), timeoutMs('1000000000')]).to.deep.equal([900_000, 4_000_000])
  })

  it('rejects a removed setting like any other unknown name', async () => {
    await write({ 'upload.queueLimit': 4 })
    expect(problems()).to.have.length(1)
    expect(problems()[0]).to.match(/^upload\.queueLimit is not a setting/)
  })

  it('uses the folder `schema` if it exists', async () => {
    await mkdir(join(folder, 'schema'))
    expect(load().schemaDir).to.equal(join(folder, 'schema'))
  })

  it('reads settings from the file, nested or dotted, and prefers the environment', async () => {
    await write({
      'api.rest.maxLimit': 50,
      api: { rest: { defaultLimit: 5, publicDrafts: true } },
      cors: { origins: ['https://a.example', 'https://b.example'] },
    })
    const { settings } = load({ API_REST_DEFAULT_LIMIT: '7', LOG_LEVEL: '' })
    expect(settings).to.deep.include({
      'api.rest.maxLimit': 50,
      'api.rest.defaultLimit': 7,
      'api.rest.publicDrafts': true,
      'cors.origins': ['https://a.example', 'https://b.example'],
      'log.level': 'info',
    })
    expect(load({ CORS_ORIGINS: 'https://c.example, *' }).settings['cors.origins']).to.deep.equal([
      'https://c.example',
      '*',
    ])
  })

  it('reads the file that QUIRE_CONFIG names, which must exist', async () => {
    await write({ 'api.rest.maxLimit': 9 }, 'other.json')
    expect(load({ QUIRE_CONFIG: 'other.json' }).settings['api.rest.maxLimit']).to.equal(9)
    expect(problems({ QUIRE_CONFIG: 'none.json' })[0]).to.include('none.json cannot be read')
  })

  it('reports all errors at once', async () => {
    await write({ api: { rest: { maxLimt: 5, defaultLimit: '5' } }, nonsense: true })
    expect(
      problems({
        PORT: '99999',
        MONGODB_URI: 'postgres://user:secret@x',
        SCHEMA_DIR: 'none',
        ADMIN_EMAIL: 'a@example.org',
        API_REST_MAX_LIMIT: 'abc',
        LOG_LEVEL: 'loud',
        HTTP_TRUST_PROXY: 'everybody',
        API_REST_PUBLIC_DRAFTS: 'maybe',
      }),
    ).to.deep.equal([
      `SCHEMA_DIR must be a folder, but there is none at ${join(folder, 'none')}`,
      'PORT must be an integer from 0 to 65535, not "99999"',
      'api.rest.maxLimt is not a setting; did you mean api.rest.maxLimit?',
      'api.rest.defaultLimit must be an integer, at least 1, not "5"',
      'nonsense is not a setting',
      'API_REST_MAX_LIMIT must be an integer, at least 1, not "abc"',
      'API_REST_PUBLIC_DRAFTS must be `true` or `false`, not "maybe"',
      'HTTP_TRUST_PROXY must be `loopback`, `linklocal`, `uniquelocal`, addresses or networks, or a number of hops, not "everybody"',
      'LOG_LEVEL must be one of `fatal`, `error`, `warn`, `info`, `debug`, `silent`, not "loud"',
      'MONGODB_URI must begin with mongodb:// or mongodb+srv://',
      'ADMIN_EMAIL and ADMIN_PASSWORD must be set together',
    ])
  })

  it('rejects variables that look like settings, and ignores those of other programs', () => {
    expect(
      problems({ API_REST_WHATEVER: '1', HTTP_BODYLIMIT: '1', MONGODB_URL: 'x' }),
    ).to.deep.equal([
      'API_REST_WHATEVER is not a setting',
      'HTTP_BODYLIMIT is not a setting; did you mean HTTP_BODY_LIMIT?',
      'Unknown variable MONGODB_URL. Did you mean MONGODB_URI?',
    ])
    const others = {
      HTTP_PROXY: 'x',
      LOG_DIR: 'x',
      AUTH_SERVICE_HOST: 'x',
      POOL_PORT: 'x',
      TMPDIR: 'x',
    }
    expect(problems(others)).to.deep.equal([])
  })

  it('has a different variable for each setting', () => {
    expect(variableOf('api.rest.maxLimit')).to.equal('API_REST_MAX_LIMIT')
    expect(variableOf('auth.rateLimit.max')).to.equal('AUTH_RATE_LIMIT_MAX')
    const variables = Object.keys(settingsTable).map(variableOf)
    expect(new Set(variables).size).to.equal(variables.length)
  })

  it('reports missing and unknown settings of login providers', async () => {
    const google = {
      AUTH_PROVIDERS_GOOGLE_CLIENT_ID: 'id',
      AUTH_PROVIDERS_GOOGLE_CLIENT_SECRET: 'a-secret',
      AUTH_PROVIDERS_GOOGLE_REDIRECT: 'https://example.org/a,https://example.org/b',
    }
    const { settings } = load(google)
    expect(settings['auth.providers.google.redirect']).to.deep.equal([
      'https://example.org/a',
      'https://example.org/b',
    ])
    expect(problems({ AUTH_PROVIDERS_KEYCLOAK_CLIENT_ID: 'id' })).to.deep.equal([
      'auth.providers.keycloak.clientSecret is required for logins with keycloak',
      'auth.providers.keycloak.redirect is required for logins with keycloak',
      'auth.providers.keycloak.issuer is required for logins with keycloak',
    ])
    expect(problems({ ...google, AUTH_PROVIDERS_GOOGLE_CLIENT_SECRET: 'zwölf' })).to.deep.equal([
      'AUTH_PROVIDERS_GOOGLE_CLIENT_SECRET must be a text of ASCII characters',
      'auth.providers.google.clientSecret is required for logins with google',
    ])
    expect(problems({ AUTH_PROVIDERS_GOGLE_CLIENT_ID: 'id' })).to.deep.equal([
      'AUTH_PROVIDERS_GOGLE_CLIENT_ID is not a setting; did you mean AUTH_PROVIDERS_GOOGLE_CLIENT_ID?',
    ])
    const microsoft = {
      AUTH_PROVIDERS_MICROSOFT_CLIENT_ID: 'id',
      AUTH_PROVIDERS_MICROSOFT_CLIENT_SECRET: 'a-secret',
      AUTH_PROVIDERS_MICROSOFT_REDIRECT: 'https://example.org/a',
    }
    expect(problems(microsoft)).to.deep.equal([])
    const trusting = { ...microsoft, AUTH_PROVIDERS_MICROSOFT_TRUST_EMAIL: 'true' }
    const host = 'https://login.microsoftonline.com'
    for (const [tenant, count] of [
      ['', 1],
      [`${host}/organizations/v2.0`, 1],
      [`${host}/11111111-2222-3333-4444-555555555555/v2.0`, 0],
    ] as const)
      expect(
        problems({ ...trusting, AUTH_PROVIDERS_MICROSOFT_ISSUER: tenant }),
        tenant,
      ).to.have.length(count)
    const issuer = 'an address such as `https://example.org/realm`, `http` on this machine alone'
    const wrong = { AUTH_PROVIDERS_OIDC_ISSUER: 'http://example.org' }
    expect(problems(wrong)).to.deep.equal([
      `AUTH_PROVIDERS_OIDC_ISSUER must be ${issuer}, not "http://example.org"`,
    ])
    await write({ auth: { providers: { google: { clientID: 'id' }, google2: { scope: 'x' } } } })
    expect(problems()).to.deep.equal([
      'auth.providers.google.clientID is not a setting; did you mean auth.providers.google.clientId?',
      'auth.providers.google2.scope is not a setting; did you mean auth.providers.google.scope?',
    ])
  })
})
