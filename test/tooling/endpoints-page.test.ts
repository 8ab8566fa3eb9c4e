import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { createClosing } from '../../server/lifecycle/closing.js'
import { createLiveLevel } from '../../server/logging/live-level.js'
import { loadConfig } from '../../server/settings/config.js'
import { openServices } from '../../server/lifecycle/open-services.js'

describe('docs/endpoints.md', () => {
  it('lists the endpoints of the running service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-endpoints-'))
    const log = pino({ level: 'silent' })
    const closing = createClosing(log)
    try {
      const { routes } = await openServices(loadConfig({ AUTH_MODE: 'refresh' }, folder), {
        ...{ log, closing },
        ...{ level: createLiveLevel(log), report: () => undefined },
      })
      const served = routes.map(({ method, path }) => `${method} ${path}`)
      expect(await listedEndpoints()).to.have.members([...new Set(served)])
    } finally {
      await closing.closeAll()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/**
 * Returns the endpoints in the table of the page, except for those of content-types, health, metrics and the
 * documentation.
 */
async function listedEndpoints(): Promise<readonly string[]> {
  const page = await readFile(new URL('../../../docs/endpoints.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| ((?:`[A-Z]+` ?)+)\s*\| `(\/[^`]*)`/gm)]
  return rows.flatMap(([, methods = '', path = '']) =>
    /^\/(api\/:|_|metrics|documentation|$)/.test(path)
      ? []
      : [...methods.matchAll(/[A-Z]+/g)].map(([method]) => `${method} ${path}`),
  )
}
