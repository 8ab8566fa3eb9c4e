import { hostname } from 'node:os'
import { expect } from 'chai'
import { pino } from 'pino'
import type { ErrorReports } from '../../../server/reporting/open-error-reports.js'
import { openErrorReports } from '../../../server/reporting/open-error-reports.js'
import { reportFailures } from '../../../server/reporting/report-failures.js'
import type { Route } from '../../../server/http/route.js'
import { readSettings } from '../../../server/settings/read-settings.js'
import type { Settings } from '../../../server/settings/settings.js'
import { eventually } from '../database/support.js'
import { collectLines } from '../../support/log-lines.js'
import { startSentryServer, type SentryServer } from '../../support/sentry-server.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('error reports', function () {
  this.timeout(30_000)
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  type Event = Readonly<{
    exception: Readonly<{ values: { stacktrace: { frames: { filename: string }[] } }[] }>
  }>
  const sentry = async (...answer: Parameters<typeof startSentryServer>): Promise<SentryServer> => {
    const server = await startSentryServer(...answer)
    stops.push(server.stop)
    return server
  }
  const open = (dsn: string, more: Partial<Settings> = {}, maxPerMinute?: number) => {
    const { log, lines } = collectLines()
    const settings = { ...readSettings({}, {}, []), 'errors.dsn': dsn, ...more }
    return {
      lines,
      reports: openErrorReports({ settings, production: true, log: pino(log), maxPerMinute }),
      dropped: () =>
        lines
          .map((line) => JSON.parse(line) as { event?: string; reasons?: object })
          .filter(({ event }) => event === 'faults-not-reported')
          .map(({ reasons }) => reasons),
    }
  }
  const serve = async ({ report }: ErrorReports): Promise<RunningHttp> => {
    const route = (path: string, handle: Route['handle']): Route => ({
      ...{ method: 'POST', path, guard: 'open', handle },
    })
    const http = await startHttp({
      failed: reportFailures(report),
      routes: [
        route('/fails/:id', ({ body }) => {
          throw new TypeError(`Cannot use '${JSON.stringify(body)}'`, {
            cause: Object.assign(new Error('dup key: secret'), { code: 11000 }),
          })
        }),
        route('/refuses', () => ({ status: 400, body: {} })),
      ],
    })
    stops.push(() => http.stop())
    return http
  }

  it('contain what identifies the failed request, but none of its data', async () => {
    const { dsn, arrived } = await sentry()
    const http = await serve(open(dsn).reports)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    await http.send('POST', '/refuses?secret=1')
    const { status, headers } = await http.send('POST', '/fails/secret?secret=1', {
      token: 'secret',
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, Cookie: 'a=secret' },
      body: { name: 'secret' },
    })
    expect(status).to.equal(500)
    await eventually(() => Promise.resolve(arrived.length > 0))
    expect(arrived).to.have.length(1)
    const [{ path, type, body } = { path: '', type: '', body: '' }] = arrived
    expect([path, type]).to.deep.equal([
      '/api/7/envelope/?sentry_version=7&sentry_key=abc123',
      'application/x-sentry-envelope',
    ])
    expect(body).not.to.include('secret')
    expect(body).not.to.include(process.cwd())
    const [envelope, item, event, ...more] = body
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown> & Event)
    expect(more).to.deep.equal([])
    const sentAt = String(envelope?.['sent_at'])
    expect(Date.parse(sentAt)).to.be.at.most(Date.now())
    const id = String(event?.['event_id'])
    expect(id).to.match(/^[\da-f]{32}$/)
    expect(envelope).to.deep.equal({ event_id: id, sent_at: sentAt })
    expect(item).to.deep.equal({ type: 'event' })
    const frames = event?.exception.values.map(({ stacktrace }) => stacktrace.frames) ?? []
    for (const each of frames) {
      // The last stack frame names the compiled file or, if source maps are enabled, the source file.
      expect(each.at(-1)?.filename).to.match(
        /^(dist\/)?test\/server\/reporting\/fault-reports\.test\.[jt]s$/,
      )
      expect(each.at(-1)).to.deep.include({ in_app: true })
    }
    const spanId = (event?.['contexts'] as { trace: { span_id: string } }).trace.span_id
    expect(spanId).to.match(/^[\da-f]{16}$/)
    expect(event).to.deep.equal({
      ...{ event_id: id, platform: 'node', level: 'error' },
      timestamp: event?.['timestamp'],
      ...{ server_name: hostname(), release: 'quire@0.1.0', environment: 'production' },
      transaction: 'POST /fails/:id',
      tags: {
        in: 'request',
        request_id: headers.get('x-request-id'),
        'http.request.method': 'POST',
        'http.response.status_code': '500',
        'http.route': '/fails/:id',
      },
      contexts: { trace: { trace_id: traceId, span_id: spanId } },
      exception: {
        values: [
          { type: 'Error', value: '11000', stacktrace: { frames: frames[0] } },
          {
            ...{ type: 'TypeError', value: 'Cannot use …', stacktrace: { frames: frames[1] } },
            mechanism: { type: 'generic', handled: true },
          },
        ],
      },
    })
  })

  it('are not sent without a DSN', async () => {
    const { reports, lines } = open('')
    reports.report({ error: new Error('x'), in: 'request' })
    await reports.flush()
    expect(lines).to.deep.equal([])
  })

  it('do not delay requests if the receiver hangs, and are limited in number', async () => {
    const { dsn, arrived } = await sentry(() => undefined)
    const { reports, dropped } = open(dsn)
    const http = await serve(reports)
    for (let sent = 0; sent < 25; sent += 1)
      expect((await http.send('POST', '/fails/1')).status).to.equal(500)
    await eventually(() => Promise.resolve(arrived.length === 20))
    expect(dropped()).to.deep.equal([{ queue_overflow: 1 }])
    // `flush` ends, although the receiver has accepted nothing.
    await reports.flush()
    expect(arrived).to.have.length(20)
  })

  it('pause for the Retry-After of the receiver, and the log says so', async () => {
    const { dsn, arrived } = await sentry((response) =>
      response.writeHead(429, { 'Retry-After': '60' }).end(),
    )
    const { reports, dropped } = open(dsn)
    reports.report({ error: new Error('first'), in: 'request' })
    await eventually(() => Promise.resolve(arrived.length === 1))
    await reports.flush()
    reports.report({ error: new Error('second'), in: 'request' })
    await reports.flush()
    expect(arrived).to.have.length(1)
    expect(dropped()).to.deep.equal([{ ratelimit_backoff: 1 }])
  })

  it('are dropped if the receiver is unavailable or responds with 404', async () => {
    const unavailable = await startSentryServer()
    await unavailable.stop()
    const other = await sentry((response) => response.writeHead(404).end())
    for (const [{ dsn }, reason] of [
      [unavailable, 'network_error'],
      [other, 'status_404'],
    ] as const) {
      const { reports, dropped } = open(dsn)
      reports.report({ error: new Error('x'), in: 'request' })
      await eventually(() => Promise.resolve(dropped().length > 0))
      expect(dropped()).to.deep.equal([{ [reason]: 1 }])
    }
  })

  it('are limited per minute', async () => {
    const { dsn, arrived } = await sentry()
    const { reports, dropped } = open(dsn, {}, 3)
    for (let sent = 0; sent < 5; sent += 1) reports.report({ error: new Error('x'), in: 'request' })
    await eventually(() => Promise.resolve(arrived.length === 3))
    await reports.flush()
    expect(arrived).to.have.length(3)
    expect(dropped()).to.deep.equal([{ too_many: 1 }])
  })

  it('contain the configured environment, and handle a thrown value that is not an error', async () => {
    const { dsn, arrived } = await sentry()
    const { reports } = open(dsn, { 'errors.environment': 'staging' })
    reports.report({ error: 'a secret', in: 'process', isFatal: true })
    await eventually(() => Promise.resolve(arrived.length === 1))
    const event = JSON.parse(arrived[0]?.body.split('\n')[2] ?? '') as Record<string, unknown>
    expect(event).to.deep.include({ environment: 'staging', level: 'fatal' })
    expect(arrived[0]?.body).not.to.include('secret')
  })

  it('require a valid DSN, which the error message does not repeat', () => {
    const problems: string[] = []
    readSettings({}, { ERRORS_DSN: 'https://secret-key@example.org' }, problems)
    expect(problems).to.deep.equal([
      'ERRORS_DSN must be a DSN such as `https://key@errors.example.org/1`',
    ])
  })
})
