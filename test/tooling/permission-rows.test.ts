import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { documentActions } from '../../engine/write.js'
import { loadConfig } from '../../server/settings/config.js'
import { contentDispatcher } from '../../server/content/dispatcher.js'
import { startQuire, type Quire } from '../../server/lifecycle/start.js'
import { draftRows, permissionRows } from '../server/accounts/permission-rows.js'

const schemaDir = new URL('../../../test/conformance/model', import.meta.url).pathname

describe('permission table in test/server/accounts/permission-rows.ts', () => {
  it('has a row for each endpoint, and no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-rows-'))
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SCHEMA_DIR: schemaDir }
    const quire = await startQuire(loadConfig(env, folder), { log: pino({ level: 'silent' }) })
    try {
      const built = quire.routes.map(({ method, path }) => `${method} ${path}`)
      expect(Object.keys(permissionRows)).to.have.members([...built, ...contentEndpoints(quire)])
      expect(Object.keys(draftRows)).to.have.members(
        contentEndpoints(quire)
          .filter((endpoint) => /^(POST|PUT) (?!.*\/(categories|actions))/.test(endpoint))
          .map((endpoint) => `${endpoint}?status=draft`),
      )
    } finally {
      await quire.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Returns the endpoints of three content-types: with drafts, without drafts, and a single type. */
function contentEndpoints({ services }: Quire): readonly string[] {
  const { match } = contentDispatcher(services)
  const acts = documentActions.map((action) => ['actions', action])
  const paths = ['articles', 'categories'].flatMap((name) => [
    [name],
    [name, 'aggregate'],
    [name, 'bulk'],
    [name, 'x'],
    ...acts.map((act) => [name, 'x', ...act]),
  ])
  return [...paths, ['homepage'], ...acts.map((act) => ['homepage', ...act])].flatMap((segments) =>
    [...(match(segments)?.methods.keys() ?? [])].map(
      (method) => `${method} /api/${segments.join('/')}`,
    ),
  )
}
