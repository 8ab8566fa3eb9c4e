import { expect } from 'chai'
import { pino } from 'pino'
import { loadConfig } from '../../../server/settings/config.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { testDatabaseUri } from '../../support/database.js'
import { folderForEach } from '../../support/temporary-folder.js'

describe('ADMIN_EMAIL and ADMIN_PASSWORD', () => {
  const folderWith = folderForEach()

  it('create the first admin if they follow the password rules, and are ignored if an admin exists', async () => {
    const MONGODB_URI = await testDatabaseUri()
    const folder = await folderWith({})
    const start = (ADMIN_PASSWORD: string, ADMIN_EMAIL = 'ada@example.org') => {
      const named = { MONGODB_URI, ADMIN_EMAIL, ADMIN_PASSWORD }
      const config = loadConfig({ PORT: '0', HOST: '127.0.0.1', ...named }, folder)
      return startQuire(config, { log: pino({ level: 'silent' }) })
    }
    for (const [password, rule] of [
      ['Short1', /password must be at least 8 characters/],
      ['only-lower-1', /password must contain at least one uppercase character/],
      ['ONLY-UPPER-1', /password must contain at least one lowercase character/],
      ['No-digit-here', /password must contain at least one number/],
      [`Long-1${'x'.repeat(80)}`, /password must be less than 73 bytes/i],
    ] as const) {
      const refused = await start(password).then(
        (quire) => quire.stop().then(() => 'started'),
        (error: unknown) => (error as Error).message,
      )
      expect(refused)
        .to.match(rule)
        .and.match(/^ADMIN_EMAIL and ADMIN_PASSWORD/)
      expect(refused).not.to.include(password)
    }
    const first = await start('Correct-horse-1')
    expect(await first.access.admins.count()).to.equal(1)
    await first.stop()
    const again = await start('weak')
    expect(await again.access.admins.count()).to.equal(1)
    await again.services.db.dropDatabase()
    await again.stop()
  })
})
