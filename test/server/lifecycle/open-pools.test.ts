import { expect } from 'chai'
import { withDatabase } from '../../../server/database/connect.js'
import { createClosing } from '../../../server/lifecycle/closing.js'
import { openPatternPool, openPool } from '../../../server/lifecycle/open-pools.js'
import type { ErrorReport } from '../../../server/reporting/error-report.js'
import { createAdmission } from '../../../workers/admission.js'
import { testDatabaseUri } from '../../support/database.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import { pooledPath, startHttpOnPool } from '../../workers/http-on-pool.js'
import { insertSlowArticles } from '../../workers/slow-articles.js'
import { Cleanup } from '../database/cleanup.js'
import { eventually, startJournal } from '../database/support.js'

describe('worker thread death', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  const open = async (settings: object) => {
    const databaseUri = await testDatabaseUri()
    const app = await startApp({ databaseUri, settings })
    cleanup.add(() => app.stop())
    const journal = startJournal()
    const closing = createClosing(journal.log)
    cleanup.add(closing.closeAll)
    const faults: ErrorReport[] = []
    const base = {
      log: journal.log,
      closing,
      report: (fault: ErrorReport) => void faults.push(fault),
    }
    return { app, uri: withDatabase(databaseUri), journal, faults, base }
  }
  const threadOf = (name: string) => new URL(`../../workers/${name}.js`, import.meta.url)

  it('is logged and reported for a thread of heavy queries, and the next query starts another', async () => {
    const { app, uri, journal, faults, base } = await open({})
    const { services } = app.quire
    await insertSlowArticles(services.db)
    const admission = createAdmission({ maxQueued: 10, maxQueuedBytes: 1e6 })
    const worker = threadOf('restless-worker')
    const pool = openPool(services.settings, { uri, admission, worker }, base)
    const http = await startHttpOnPool(services, pool, collectLines().log)
    cleanup.add(() => http.stop())
    for (const deaths of [1, 2]) {
      expect(await http.send('GET', pooledPath)).to.include({ status: 200 })
      await eventually(() => Promise.resolve(faults.length === deaths))
      expect(pool.figures().deaths).to.equal(deaths)
    }
    const { error, ...fault } = faults[0] as ErrorReport
    expect(fault).to.deep.equal({ in: 'worker thread', message: 'A worker thread died' })
    expect(error).to.have.property('message', 'Thrown with nothing to do')
    expect(journal.find('A worker thread died')).to.deep.include({
      level: 50,
      msg: 'A worker thread died. The next heavy query starts another',
    })
  })

  it('is logged and reported for the pattern thread, and the next check starts another', async () => {
    const { app, journal, faults, base } = await open({ 'patterns.timeoutMs': 1 })
    const thread = { worker: threadOf('stubborn-worker'), graceMs: 5000 }
    const { check } = openPatternPool(app.quire.services.settings, base, thread)
    const hanging = { source: '^(?=a)(a+)+$', text: `${'a'.repeat(40)}!` }
    const refusal = await check([hanging]).then(() => undefined, String)
    expect(refusal).to.include('The thread for patterns died. Try again')
    expect(faults).to.have.length(1)
    const { error, ...fault } = faults[0] as ErrorReport
    expect(fault).to.deep.equal({
      in: 'pattern thread',
      message: 'The thread for patterns died',
    })
    expect(error).to.have.property('name', 'AbortError')
    expect(journal.find('The thread for patterns died')).to.deep.include({
      level: 50,
      msg: 'The thread for patterns died. The next check starts another',
    })
    expect(await check([{ source: '^(?=a)a+$', text: 'a' }])).to.deep.equal(['found'])
  })
})
