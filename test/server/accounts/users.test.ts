import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Role = Readonly<{ id: number; type: string; nb_users: number }>
type User = Readonly<{ id: number; role?: Readonly<{ type: string }> }>

describe('users and roles API', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api${path}`, {
      token: app.token,
      ...(body === undefined ? {} : { body }),
    })
  const roleOf = async (type: string): Promise<Role> => {
    const { body } = await call('GET', '/users-permissions/roles')
    const role = (body as { roles: Role[] }).roles.find((each) => each.type === type)
    if (role === undefined) throw new Error(`There is no role ${type}`)
    return role
  }
  const create = async (username: string, more: object = {}) =>
    call('POST', '/users', {
      ...{ username, email: `${username}@example.org`, password: 'Passw0rd!' },
      role: (await roleOf('authenticated')).id,
      ...more,
    })

  it('creates, updates, counts and deletes a user, and returns 404 after that', async () => {
    const created = await create('bob')
    const { id, role } = created.body as User
    expect([created.status, role?.type]).to.deep.equal([201, 'authenticated'])
    expect((await call('GET', '/users/count?filters[username]=bob')).body).to.equal(1)
    expect((await call('GET', '/users/count?filters[username]=zzz&fields=nope')).body).to.equal(0)

    const changed = await call('PUT', `/users/${id}`, { username: 'bobby' })
    expect(changed.body).to.include({ username: 'bobby', email: 'bob@example.org' })
    const { body: list } = await call('GET', '/users?filters[username]=bobby&populate=role&foo=1')
    expect((list as User[])[0]).to.have.nested.property('role.type', 'authenticated')

    const deleted = await call('DELETE', `/users/${id}`)
    expect([deleted.status, (deleted.body as User).id]).to.deep.equal([200, id])
    const missing = errorBody(404, 'NotFoundError', 'User not found', {})
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined
      expect((await call(method, `/users/${id}`, body)).body).to.deep.equal(missing)
      expect((await call(method, '/users/nobody', body)).status).to.equal(404)
    }
  })

  it('rejects a user with an invalid, missing or duplicate attribute', async () => {
    await create('carl')
    const messages: readonly (readonly [object, string])[] = [
      [{ email: 'x@example.org' }, 'This attribute must be unique'],
      [{ username: 'carl2', email: 'Carl@example.org' }, 'Email already taken'],
      [{ username: 'carl3', email: 'zz' }, 'email must be a valid email'],
      [
        { username: 'carl4', email: 'c4@example.org', password: 'a' },
        'password must be at least 6 characters',
      ],
      [{ username: 'carl5', email: 'c5@example.org', role: undefined }, 'role is a required field'],
      [
        { username: 'carl6', email: 'c6@example.org', role: 99_999 },
        '1 relation(s) of type plugin::users-permissions.role associated with this entity do not exist',
      ],
      [
        { username: 'carl7', email: 'c7@example.org', confirmationToken: 'x' },
        'Invalid key confirmationToken',
      ],
    ]
    for (const [change, message] of messages) {
      const answer = await create('carl', change)
      expect([answer.status, answer.body]).to.have.nested.property('[1].error.message', message)
      expect(answer.status).to.equal(400)
    }
    const { id } = (await create('dan')).body as User
    expect((await call('PUT', `/users/${id}`, { username: 'carl' })).body).to.deep.equal(
      errorBody(400, 'ApplicationError', 'Username already taken', {}),
    )
  })

  it('names the attribute and what is expected if a role does not exist', async () => {
    const { id } = (await create('rita')).body as User
    const message = 'Document with id "editor", locale "null" not found'
    const expected = 'the id or documentId of an entry of plugin::users-permissions.role'
    const error = { path: ['role'], message, name: 'ValidationError', expected }
    const refusal = errorBody(400, 'ApplicationError', message, { errors: [error] })
    const changed = await call('PUT', `/users/${id}`, { role: 'editor' })
    expect([changed.status, changed.body]).to.deep.equal([400, refusal])
    expect((await create('rosa', { role: 'editor' })).body).to.deep.equal(refusal)
  })

  it('lets a caller set a role without permission to find roles, but then leaves it out of the response', async () => {
    const { id } = (await create('ulla')).body as User
    await app.allow('public', [
      'plugin::users-permissions.user.create',
      'plugin::users-permissions.user.update',
    ])
    const put = (body: object) => app.request('PUT', `/api/users/${id}`, { body })
    const role = (await roleOf('public')).id
    const changed = await put({ role })
    expect(changed.status).to.equal(200)
    expect(changed.body).not.to.have.property('role')
    const body = { username: 'vera', email: 'vera@example.org', password: 'Passw0rd!', role }
    const made = await app.request('POST', '/api/users', { body })
    expect(made.status).to.equal(201)
    expect(made.body).not.to.have.property('role')
    expect((await put({ permissions: ['x'] })).status).to.equal(400)
    await app.allow('public', ['plugin::users-permissions.role.find'])
    expect((await put({})).body).to.have.nested.property('role.type', 'public')
  })

  it('gives users the public role when their role is deleted', async () => {
    const made = await call('POST', '/users-permissions/roles', { name: 'Éditeur en chef' })
    expect([made.status, made.body]).to.deep.equal([200, { ok: true }])
    const editor = await roleOf('editeur_en_chef')
    const { id } = (await create('eva', { role: editor.id })).body as User
    expect((await roleOf('editeur_en_chef')).nb_users).to.equal(1)
    expect((await call('DELETE', `/users-permissions/roles/${editor.id}`)).body).to.deep.equal({
      ok: true,
    })
    const { body } = await call('GET', `/users/${id}?populate=role`)
    expect(body).to.have.nested.property('role.type', 'public')
  })

  it('keeps the permissions of a role if an update does not name them', async () => {
    const { id } = await roleOf('public')
    const path = `/users-permissions/roles/${id}`
    const permissions = async () =>
      ((await call('GET', path)).body as { role: { permissions: unknown } }).role.permissions
    const before = await permissions()
    expect((await call('PUT', path, { description: 'changed' })).body).to.deep.equal({ ok: true })
    expect(await permissions()).to.deep.equal(before)
    expect(before).to.have.nested.property(
      'plugin::users-permissions.controllers.auth.register.enabled',
      true,
    )
  })

  for (const type of ['public', 'authenticated']) {
    it(`does not delete the ${type} role`, async () => {
      const { id } = await roleOf(type)
      expect((await call('DELETE', `/users-permissions/roles/${id}`)).body).to.deep.equal(
        errorBody(400, 'ApplicationError', `Cannot delete ${type} role`, {}),
      )
    })
  }

  it('returns 404 for an unknown role, and 400 for a role without a body', async () => {
    const missing = errorBody(404, 'NotFoundError', 'Role not found', {})
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { name: 'x' } : undefined
      const answer = await call(method, '/users-permissions/roles/99999', body)
      expect(answer.body).to.deep.equal(missing)
    }
    expect((await call('POST', '/users-permissions/roles', {})).body).to.deep.equal(
      errorBody(400, 'ValidationError', 'Request body cannot be empty', {}),
    )
  })
})

describe('user with a relation that a project adds', () => {
  it('rejects the relation if the caller may not find its target', async () => {
    const collection = (name: string, attributes: object) => ({
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      options: { draftAndPublish: false },
      attributes,
    })
    const team = { type: 'relation', relation: 'manyToOne', target: 'api::team.team' }
    const app = await startApp({
      schema: {
        'api/team/content-types/team/schema.json': collection('team', { name: { type: 'string' } }),
        'extensions/users-permissions/content-types/user/schema.json': collection('user', { team }),
      },
    })
    try {
      await app.allow('public', ['plugin::users-permissions.user.create'])
      const person = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!', role: 1 }
      const create = async (teamId: unknown) =>
        (await app.request('POST', '/api/users', { body: { ...person, team: teamId } })).body
      const refused = errorBody(400, 'ValidationError', 'Invalid key team', {
        ...{ key: 'team', path: 'team', source: 'body' },
      })
      const made = await app.request('POST', '/api/teams', {
        ...{ token: app.token, body: { data: { name: 'A' } } },
      })
      const { documentId } = (made.body as { data: { documentId: string } }).data
      expect(await create(documentId)).to.deep.equal(refused)
      expect(await create('nobody')).to.deep.equal(refused)
      await app.allow('public', ['api::team.team.find'])
      expect(await create(documentId)).to.have.property('username', 'ana')
    } finally {
      await app.stop()
    }
  })
})
