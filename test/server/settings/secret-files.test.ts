import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError, loadConfig } from '../../../server/settings/config.js'

describe('secrets in files', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-secrets-'))))
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const problems = (env: Record<string, string>): readonly string[] => {
    try {
      loadConfig(env, folder)
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
    return []
  }

  it('are read from the file that a variable with _FILE names, without its final line break', async () => {
    const uri = 'mongodb://user:hidden@db/site'
    const jwt = 'j'.repeat(32)
    await write('salt', 's'.repeat(32))
    const config = loadConfig(
      {
        MONGODB_URI_FILE: await write('uri', `${uri}\n`),
        JWT_SECRET_FILE: await write('jwt', `${jwt}\r\n`),
        API_TOKEN_SALT_FILE: 'salt',
        ADMIN_EMAIL: 'a@example.org',
        ADMIN_PASSWORD_FILE: await write('password', ' two words \n'),
        EMAIL_URL_FILE: await write('mail', 'smtp://user:hidden@mail'),
        EMAIL_FROM: 'a@example.org',
        UPLOAD_SIGNING_KEY_FILE: '',
        NODE_ENV: 'production',
      },
      folder,
    )
    expect(config).to.deep.include({
      mongodbUri: uri,
      jwtSecret: jwt,
      apiTokenSalt: 's'.repeat(32),
      admin: { email: 'a@example.org', password: ' two words ' },
    })
    expect(config.settings['email.url']).to.equal('smtp://user:hidden@mail')
    expect(config.uploadSigningKey).to.equal(undefined)
  })

  it('are rejected without being printed if they are set twice, missing, empty or too large', async () => {
    const path = await write('jwt', 'hidden')
    expect(
      problems({
        JWT_SECRET: 'hidden, too',
        JWT_SECRET_FILE: path,
        MONGODB_URI_FILE: '/nowhere',
        API_TOKEN_SALT_FILE: await write('empty', '\n'),
        UPLOAD_SIGNING_KEY_FILE: '/dev/zero',
        ADMIN_PASSWORD_FILE: folder,
      }),
    ).to.deep.equal([
      "MONGODB_URI_FILE cannot be read: ENOENT: no such file or directory, open '/nowhere'",
      'JWT_SECRET and JWT_SECRET_FILE are both set; set only one of them',
      `API_TOKEN_SALT_FILE: ${join(folder, 'empty')} is empty`,
      'UPLOAD_SIGNING_KEY_FILE: /dev/zero has more than 64 KB',
      'ADMIN_PASSWORD_FILE cannot be read: EISDIR: illegal operation on a directory, read',
    ])
  })

  it('are supported for secret variables only', () => {
    expect(problems({ SCHEMA_DIR_FILE: '/x', MONGODB_URL_FILE: '/x' })).to.deep.equal([
      'Unknown variable MONGODB_URL_FILE. Did you mean MONGODB_URI_FILE?',
    ])
  })
})
