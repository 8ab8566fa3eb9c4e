import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { makeMatrixCallers, type MatrixCaller, type MatrixCallers } from './matrix-callers.js'
import { draftRows, permissionRows, type Row } from './permission-rows.js'

describe('permission matrix of the endpoints', () => {
  let app: TestApp
  let matrix: MatrixCallers
  before(async () => {
    app = await startApp()
    matrix = await makeMatrixCallers(app)
  })
  after(() => app.stop())

  it('uses only actions that can be granted, and all of them, with auth.mode=legacy', () => {
    expect(app.quire.services.settings['auth.mode']).to.equal('legacy')
    expectGrantableIsRequired(app)
  })

  const statuses = async (endpoint: string, rowOf: () => Row, callers: readonly MatrixCaller[]) => {
    const [method = '', pattern = ''] = endpoint.split(' ')
    const statusOf = async ({ name, headers }: MatrixCaller) => {
      const { path = pattern.replace(/:\w+/g, '999999'), body } = rowOf()
      const { status } = await app.request(method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      })
      return [name, status] as const
    }
    return Object.fromEntries(await Promise.all(callers.map(statusOf)))
  }
  const expected = (row: Row, callers: readonly MatrixCaller[]) =>
    Object.fromEntries(callers.map((caller) => [caller.name, statusFor(row, caller)]))

  for (const [endpoint, row] of Object.entries({ ...permissionRows, ...draftRows })) {
    it(`returns the expected status to each kind of caller of ${endpoint}`, async () => {
      const rowOf = typeof row === 'function' ? row : () => row
      const { access } = rowOf()
      const { action, wider } = typeof access === 'object' ? access : {}
      await matrix.grant(action, true, wider)
      expect(await statuses(endpoint, rowOf, matrix.callers)).to.deep.equal(
        expected(rowOf(), matrix.callers),
      )
      if (action === undefined) return
      await matrix.grant(action, false, wider)
      const anonymous = matrix.callers
        .filter(({ kind }) => kind === 'public')
        .map((caller) => ({ ...caller, granted: false }))
      expect(await statuses(endpoint, rowOf, anonymous)).to.deep.equal(expected(rowOf(), anonymous))
    })
  }
})

describe('grantable actions', () => {
  it('are exactly the actions that the endpoints require, with auth.mode=refresh', async () => {
    const app = await startApp({ settings: { 'auth.mode': 'refresh' } })
    try {
      expectGrantableIsRequired(app)
    } finally {
      await app.stop()
    }
  })
})

/** Checks that the actions of plugins that can be granted are exactly those that the endpoints require. */
function expectGrantableIsRequired({ quire }: TestApp): void {
  const required = quire.routes.flatMap(({ guard }) =>
    typeof guard === 'string' ? [] : [guard.action],
  )
  const listed = [...quire.access.actions().keys()]
  const ofPlugins = (ids: readonly string[]) =>
    [...new Set(ids.filter((id) => id.startsWith('plugin::')))].sort()
  expect(ofPlugins(listed)).to.deep.equal(ofPlugins(required))
}

/**
 * Returns the expected status: 401 for invalid credentials, 403 for valid ones without permission
 * (docs/internals/decisions.md, "Permissions are given one by one" and "Admins are apart").
 */
function statusFor({ access, status, except = {} }: Row, { kind, granted }: MatrixCaller): number {
  if (access === 'anybody') return status
  if (access === 'anyone') return kind === 'bad' ? 401 : status
  if (access === 'admin') return kind === 'admin' ? status : 401
  if (kind === 'bad' || kind === 'admin') return 401
  if (access === 'full-access') return kind === 'full-access' ? status : 403
  switch (kind) {
    case 'public':
      return granted ? (except.public ?? status) : 403
    case 'user':
      return granted ? status : 403
    case 'token':
      return granted ? (except.token ?? status) : 403
    case 'full-access':
      return except.token ?? status
    case 'read-only':
      return access.readOnly === true ? status : 403
  }
}
