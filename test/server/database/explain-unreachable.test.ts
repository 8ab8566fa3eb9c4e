import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect } from 'chai'
import { MongoClient, MongoServerError } from 'mongodb'
import { startReplicaSet } from '../../support/start-mongod.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import { readPreferenceOf } from '../../../engine/database/read-preference.js'
import { createClient } from '../../../engine/database/client.js'
import { explainDenied, missingRights } from '../../../server/database/check-server.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { shownUri, withoutSecrets } from '../../../server/database/explain-unreachable.js'

describe('error message for an unusable database', () => {
  const failureOf = (uri: string) =>
    connectDatabase(uri, { appName: 'test' }).then(
      () => '',
      ({ message }: Error) => message,
    )

  it('names the servers that were not reached, and why', async () => {
    const query = 'serverSelectionTimeoutMS=200'
    expect(await failureOf(`mongodb://127.0.0.1:1/?${query}`)).to.equal(
      'Cannot use the database at mongodb://127.0.0.1:1/: ' +
        'no server can be reached: 127.0.0.1:1 was not reached (ECONNREFUSED). Check MONGODB_URI.',
    )
    expect(await failureOf(`mongodb://127.0.0.1:1,127.0.0.1:2/?replicaSet=rs0&${query}`)).to.equal(
      'Cannot use the database at mongodb://127.0.0.1:1,127.0.0.1:2/: ' +
        'no member of the replica set rs0 can be reached: ' +
        '127.0.0.1:1 was not reached (ECONNREFUSED); 127.0.0.1:2 was not reached (ECONNREFUSED). Check MONGODB_URI.',
    )
  })

  it('asks to percent-encode the user and the password', async () => {
    const message =
      'Cannot use the database at mongodb://***@127.0.0.1:1/: the user and the password must be percent-encoded: ' +
      '@ is %40, : is %3A, / is %2F, ? is %3F, # is %23, % is %25. Check MONGODB_URI.'
    for (const password of ['p@ss', 'p/ss', 'p?ss', 'p#ss', 'p:ss', 'p%ss'])
      expect(await failureOf(`mongodb://ana:${password}@127.0.0.1:1/`), password).to.equal(message)
    for (const uri of ['mongodb://ana:p%40ss@127.0.0.1:1', 'mongodb://127.0.0.1:1,[::1]:2'])
      expect(
        await failureOf(`${uri}/site?appName=a%40b&serverSelectionTimeoutMS=100`),
        uri,
      ).to.include('ECONNREFUSED')
  })

  it('suggests a TLS mismatch if the server closes the connection', async () => {
    if (isReplicaSet()) {
      const uri = `${await testDatabaseUri()}&tls=true&serverSelectionTimeoutMS=500`
      expect(await failureOf(uri)).to.include(
        '(it closed the connection; if it does not use TLS, remove tls=true)',
      )
    }
    // Like a server that requires TLS, closes the connection of a client that does not use it.
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await failureOf(`mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=500`)).to.include(
      `127.0.0.1:${port} was not reached (it closed the connection; if it requires TLS, add tls=true)`,
    )
    server.close()
  })

  it('explains that the URI names only a secondary', async function () {
    // The embedded engine has no secondaries.
    if (!isReplicaSet()) return this.skip()
    const set = await startReplicaSet({ replSet: { count: 2, name: 'rs' } })
    try {
      await set.waitUntilRunning()
      const members = await new MongoClient(set.getUri()).connect()
      const { me } = await members.db().command({ hello: 1 })
      await members.close()
      const secondary = set.servers
        .map(({ instanceInfo }) => `127.0.0.1:${instanceInfo?.port}`)
        .find((address) => address !== me)
      expect(await failureOf(`mongodb://${secondary}/site?directConnection=true`)).to.equal(
        `Cannot use the database at mongodb://${secondary}/site: ${secondary} is not the primary of the replica set rs. ` +
          'List all members, add replicaSet=rs, and remove directConnection=true. Check MONGODB_URI.',
      )
    } finally {
      await set.stop()
    }
  })

  it('contains no secret of the URI, even if the URI is malformed', async () => {
    const secret = 'S3cr3t-w0rd'
    for (const uri of [
      `mongodb://ana:${secret}@127.0.0.1:1/site?serverSelectionTimeoutMS=100`,
      `mongodb://ana:a@${secret}@127.0.0.1:1/site`,
      `mongodb://ana:a/${secret}@127.0.0.1:1/site`,
      `mongodb://ana:a?${secret}@127.0.0.1:1/site`,
      `mongodb://ana:%${secret}@127.0.0.1:1/site`,
      `mongodb://ana:${secret}@/site`,
      `mongodb://127.0.0.1:1/site?tls=true&tlsCertificateKeyFilePassword=${secret}&tls=${secret}&x=1`,
      `mongodb://ana:${secret}@127.0.0.1:1/?authMechanism=${secret}`,
      `mongodb://127.0.0.1:1/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:${secret},x`,
    ]) {
      const failure = await failureOf(uri)
      expect(failure).to.match(/^Cannot use the database at mongodb:\/\//)
      expect(failure, uri).to.not.include(secret)
    }
    expect(shownUri(`mongodb://ana:a@${secret}@db/site?x=1`)).to.equal('mongodb://***@db/site')
    const encoded = 'mongodb://ana:p%40ss-word@db/site'
    expect(withoutSecrets('said p@ss-word and p%40ss-word', encoded)).to.equal('said *** and ***')
  }).timeout(60_000)

  it('names the missing permission and its database, without the text of the command', () => {
    const errmsg =
      'not authorized on site to execute command { createIndexes: "articles", indexes: [], lsid: { id: UUID("1") } }'
    const denied = explainDenied(
      new MongoServerError({ message: errmsg, code: 13, errmsg }),
    ) as Error
    expect(denied.message).to.equal(
      'The user of MONGODB_URI may not run createIndexes on the database site. ' +
        'Give it the role readWrite on site (grantRolesToUser), or use another user.',
    )
    const nobody = 'command find requires authentication'
    const unnamed = explainDenied(
      new MongoServerError({ message: nobody, code: 13, errmsg: nobody }),
    ) as Error
    expect(unnamed.message).to.include('MONGODB_URI has no user')
    const other = new TypeError('a defect')
    expect(explainDenied(other)).to.equal(other)
  })

  it('lists the missing permissions on this database', () => {
    const readWrite = [
      ...['find', 'insert', 'update', 'remove', 'createCollection', 'listCollections'],
      ...['createIndex', 'dropIndex', 'listIndexes', 'collStats'],
    ]
    const on = (db: string, actions: readonly string[]) => ({
      resource: { db, collection: '' },
      actions,
    })
    expect(missingRights(undefined, 'site')).to.deep.equal([])
    expect(missingRights([on('site', readWrite)], 'site')).to.deep.equal([])
    expect(missingRights([on('', readWrite)], 'site')).to.deep.equal([])
    const root = { resource: { anyResource: true }, actions: ['anyAction'] }
    expect(missingRights([root], 'site')).to.deep.equal([])
    expect(missingRights([on('other', readWrite), on('site', ['find'])], 'site')).to.deep.equal([
      ...['insert', 'update', 'remove', 'createCollection', 'listCollections'],
      ...['createIndex', 'dropIndex', 'listIndexes'],
    ])
    const single = { resource: { db: 'site', collection: 'articles' }, actions: readWrite }
    expect(missingRights([single], 'site')).to.deep.equal([])
  })
})

describe('URI options', () => {
  it('are passed to the client unchanged: TLS, authentication, read preference and timeouts', async () => {
    const options = [
      'replicaSet=rs0&authMechanism=MONGODB-X509&tls=true&tlsAllowInvalidHostnames=true',
      ...['readPreference=nearest', 'readConcernLevel=majority', 'compressors=zlib'],
      'maxPoolSize=3&serverSelectionTimeoutMS=77&connectTimeoutMS=88&waitQueueTimeoutMS=99',
    ].join('&')
    const client = createClient(`mongodb://db.example:27018/site?${options}`, { appName: 'test' })
    const read = client.options
    expect(read).to.include({ replicaSet: 'rs0', tls: true })
    // The driver sets this function if `tlsAllowInvalidHostnames` is true.
    expect(read.checkServerIdentity?.('db.example', {} as never)).to.equal(undefined)
    expect(read).to.include({ maxPoolSize: 3, serverSelectionTimeoutMS: 77 })
    expect(read).to.include({ connectTimeoutMS: 88, waitQueueTimeoutMS: 99 })
    expect(read.credentials).to.include({ mechanism: 'MONGODB-X509', source: '$external' })
    expect(readPreferenceOf(client)?.mode).to.equal('nearest')
    expect(read.readConcern?.level).to.equal('majority')
    expect(read.compressors).to.include('zlib')
    await client.close()

    const named = createClient(
      'mongodb://ana:p%40ss@db.example/site?authSource=users&authMechanism=SCRAM-SHA-256',
      { appName: 'test' },
    )
    expect(named.options.credentials).to.include({
      ...{ username: 'ana', password: 'p@ss', source: 'users', mechanism: 'SCRAM-SHA-256' },
    })
    await named.close()
    const listed = createClient('mongodb+srv://db.example/site?tls=true', { appName: 'test' })
    expect(listed.options.srvHost).to.equal('db.example')
    await listed.close()
  })
})
