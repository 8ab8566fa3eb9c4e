import { expect } from 'chai'
import type { Answer } from '../support/request.js'
import { collectLines } from '../support/log-lines.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

const schema = {
  'components/door/lock.json': {
    collectionName: 'components_door_locks',
    info: { displayName: 'Lock' },
    attributes: { code: { type: 'password', minLength: 30 }, label: { type: 'string' } },
  },
  'content-types/door.json': {
    kind: 'collectionType',
    collectionName: 'doors',
    info: { singularName: 'door', pluralName: 'doors', displayName: 'Door' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string', maxLength: 5 },
      number: { type: 'integer' },
      pin: { type: 'password', minLength: 30 },
      lock: { type: 'component', component: 'door.lock' },
      locks: { type: 'component', component: 'door.lock', repeatable: true, max: 1 },
      rooms: { type: 'component', component: 'door.room', repeatable: true },
      zone: { type: 'dynamiczone', components: ['door.lock'], max: 1 },
    },
  },
  'components/door/room.json': {
    collectionName: 'components_door_rooms',
    info: { displayName: 'Room' },
    attributes: { size: { type: 'integer' }, title: { type: 'string', maxLength: 3 } },
  },
}

type Errors = Readonly<{
  message: string
  details: Readonly<{ errors: readonly { value?: unknown; message: string }[]; more?: number }>
}>

describe('error response', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ schema, log, settings: { 'http.bodyLimit': 2_000_000 } })
  })
  after(() => app.stop())

  const secret = 'hunter-two'
  const errorOf = ({ body }: Answer): Errors => (body as { error: Errors }).error
  const post = (path: string, body: unknown, token = app.token) =>
    app.request('POST', path, { body, token })
  const door = (data: unknown) => post('/api/doors', { data })

  it('contains no value of a body with passwords or codes, and the log neither', async () => {
    const paths = ['local', 'local/register', 'forgot-password', 'reset-password']
    const auth = [...paths, 'send-email-confirmation'].map((path) => `/api/auth/${path}`)
    const admin = ['login', 'forgot-password', 'reset-password'].map((path) => `/admin/${path}`)
    const keys = ['identifier', 'email', 'username', 'password', 'passwordConfirmation', 'code']
    for (const path of [...auth, ...admin])
      for (const value of [{ secret }, [secret], `${secret}@`, 1234567, `{"${secret}`]) {
        const body = Object.fromEntries([...keys, 'resetPasswordToken'].map((key) => [key, value]))
        const answer = await app.request('POST', path, { body })
        expect(answer.status, path).to.be.oneOf([200, 204, 400])
        expect(answer.text, path).not.to.include(secret).and.not.include('1234567')
        for (const broken of [`{"password":"${secret}"x}`, `{"password":${secret}`]) {
          const headers = { 'Content-Type': 'application/json' }
          const refused = await app.request('POST', path, { body: broken, headers })
          expect(refused.status).to.equal(400)
          expect(refused.text, path).not.to.match(/hunter|two/)
        }
      }
    for (const password of [{ secret }, [secret], `{"${secret}`]) {
      const user = { username: 'ana', email: 'nobody', role: 1, password }
      const { text } = await post('/api/users', user)
      expect(text).to.include('"value":"nobody"').and.not.include(secret)
    }
    const me = await app.request('PUT', '/admin/users/me', {
      ...{ token: app.adminJwt, body: { password: secret, currentPassword: { secret } } },
    })
    expect([me.status, me.text.includes(secret)]).to.deep.equal([400, false])
    expect(lines.join('')).not.to.include(secret)
  })

  it('is short even for a login of the maximum size', async () => {
    const long = 'x'.repeat(8000)
    for (const body of [{ identifier: { long }, password: [long] }, { identifier: [long, long] }]) {
      const answer = await app.request('POST', '/api/auth/local', { body })
      expect(answer.status).to.equal(400)
      expect(answer.text.length).to.be.below(1000)
    }
  })

  it('never contains the value of a password attribute, even in components', async () => {
    for (const data of [
      { pin: secret },
      { pin: { secret } },
      { lock: { code: secret } },
      { lock: [{ code: secret }] },
      { lock: JSON.stringify([{ code: secret }]) },
      { locks: { code: secret } },
      { locks: JSON.stringify({ code: secret }) },
      { locks: [{ code: secret }, { code: secret }] },
      {
        zone: [
          { __component: 'door.lock', code: secret },
          { __component: 'x', code: secret },
        ],
      },
      [{ pin: secret }],
    ]) {
      const answer = await door(data)
      expect(answer.status, JSON.stringify(data)).to.equal(400)
      expect(answer.text, JSON.stringify(data)).not.to.include(secret)
    }
  })

  it('contains short values unchanged, and cuts long values', async () => {
    const [short] = errorOf(await door({ name: 'Front door' })).details.errors
    expect(short).to.deep.equal({
      path: ['name'],
      message: 'name must be at most 5 characters',
      name: 'ValidationError',
      value: 'Front door',
      bound: 'maxLength',
      limit: 5,
    })
    const [room] = errorOf(await door({ rooms: [{ title: 'Hall' }] })).details.errors
    expect(room).to.include({ value: 'Hall' })
    const nested = { a: [{ b: 'y'.repeat(300_000) }], c: Array.from({ length: 9999 }, () => 'zz') }
    for (const [data, most] of [
      [{ name: 'é'.repeat(200_000) }, 1024],
      [{ number: nested }, 1024],
      [{ number: ['x'.repeat(700_000)] }, 1024],
    ] as const) {
      const { message, details } = errorOf(await door(data))
      expect(message.length).to.be.at.most(most + 1)
      for (const error of details.errors) {
        const errorSize =
          Buffer.byteLength(error.message) + Buffer.byteLength(JSON.stringify(error.value))
        expect(errorSize).to.be.at.most(most + 100)
        expect(JSON.stringify(error)).to.include('…')
      }
    }
    const long = 'k'.repeat(900_000)
    for (const body of [{ data: { [long]: 1 } }, { data: { rooms: [{ [long]: 1 }] } }]) {
      const answer = await post('/api/doors', body)
      expect([answer.status, answer.text.length < 5000]).to.deep.equal([400, true])
    }
  })

  it('contains the first hundred errors, and the number of the others', async () => {
    const rooms = Array.from({ length: 9000 }, () => ({ size: 'wide', title: 'Hall' }))
    const answer = await door({ rooms })
    const { message, details } = errorOf(answer)
    expect(message).to.equal('18000 errors occurred')
    expect(details.errors).to.have.lengthOf(100)
    expect(details.more).to.equal(17_900)
    expect(answer.text.length).to.be.below(30_000)
  })
})
