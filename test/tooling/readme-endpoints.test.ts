import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { createClosing } from '../../server/lifecycle/closing.js'
import { createLiveLevel } from '../../server/logging/live-level.js'
import { loadConfig } from '../../server/settings/config.js'
import { openServices } from '../../server/lifecycle/open-services.js'

describe('the endpoints that README.md lists', () => {
  it('are those of the running service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-readme-'))
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

/** `GET /api/users`, without those of content-types, health and metrics, which are no routes of a feature. */
async function listedEndpoints(): Promise<readonly string[]> {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const section = /\n## Endpoints\n([^]*?)\n## /.exec(readme)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| ((?:`[A-Z]+` ?)+)\s*\| `(\/[^`]*)`/gm)]
  return rows.flatMap(([, methods = '', path = '']) =>
    /^\/(api\/:|_|metrics|$)/.test(path)
      ? []
      : [...methods.matchAll(/[A-Z]+/g)].map(([method]) => `${method} ${path}`),
  )
}
