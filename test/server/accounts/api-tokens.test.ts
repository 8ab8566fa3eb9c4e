import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { pino } from 'pino'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import {
  createApiTokens,
  createHashKey,
  prepareApiTokens,
  type ApiTokens,
  type TokenDocument,
  type TokenDraft,
} from '../../../server/accounts/tokens/api-tokens.js'
import {
  createTokenCallers,
  type TokenCallers,
} from '../../../server/accounts/tokens/token-callers.js'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { smallRegistry } from './small-registry.js'

describe('API tokens', () => {
  let client: MongoClient
  let commands: string[] = []
  let tokens: ApiTokens
  let callers: TokenCallers
  let registry = smallRegistry
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri(), { monitorCommands: true })
    client.on('commandStarted', ({ commandName }) => void commands.push(commandName))
    const db = client.db()
    await prepareApiTokens(db)
    const hashKey = createHashKey('salt')
    const log = pino({ level: 'silent' })
    callers = createTokenCallers({ db, log, registry: () => registry, hashKey })
    tokens = createApiTokens(db, hashKey, () => callers.changed())
  })
  after(() => client.close())

  const draft = (name: string, more: Partial<TokenDraft> = {}): TokenDraft => ({
    name,
    description: '',
    type: 'custom',
    permissions: ['api::tag.tag.find'],
    lifespan: null,
    ...more,
  })
  const stored = (id: number) =>
    client.db().collection<TokenDocument>('_api_tokens').findOne({ _id: id })

  it('finds a token by its access key, of which only a hash is stored', async () => {
    const { token, accessKey } = await tokens.create(draft('first'), 'owner')
    const caller = await callers.find(accessKey)
    expect(caller?.token).to.deep.equal({
      id: token.id,
      name: 'first',
      type: 'custom',
      owner: 'owner',
    })
    expect(caller?.grant.actions).to.deep.equal(
      new Set(['api::tag.tag.find', 'api::tag.tag.findDrafts']),
    )
    expect(accessKey).to.match(/^[0-9a-f]{128}$/)
    expect(JSON.stringify(await stored(token.id))).not.to.include(accessKey)
    expect(
      JSON.stringify([token, await tokens.list(), await tokens.find(token.id)]),
    ).not.to.include((await stored(token.id))?.accessKey)
    expect(await callers.find(`${accessKey}0`)).to.be.undefined
  })

  it('applies an update, a regenerated key and a deletion at once', async () => {
    const { token, accessKey } = await tokens.create(draft('second'), null)
    await callers.find(accessKey)
    await tokens.update(token.id, { type: 'full-access', permissions: [] })
    expect((await callers.find(accessKey))?.grant.actions).to.equal('all')

    const renewed = await tokens.regenerate(token.id)
    expect(await callers.find(accessKey)).to.be.undefined
    expect((await callers.find(renewed?.accessKey ?? ''))?.token.id).to.equal(token.id)

    await tokens.remove(token.id)
    expect(await callers.find(renewed?.accessKey ?? '')).to.be.undefined
    expect(await tokens.find(token.id)).to.be.undefined
    expect(await tokens.regenerate(token.id)).to.be.undefined
  })

  it('rejects a token after its lifespan', async () => {
    const { token, accessKey } = await tokens.create(draft('brief', { lifespan: 30 }), null)
    expect(token.expiresAt?.getTime()).to.equal(token.createdAt.getTime() + 30)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(await callers.find(accessKey)).to.be.undefined
  })

  it('gives each token its own id when several are created concurrently, and rejects a name that is taken', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const made = await Promise.all(names.map((name) => tokens.create(draft(name), null)))
    expect(new Set(made.map(({ token }) => token.id)).size).to.equal(names.length)
    const refused = await tokens.create(draft('a'), null).catch((error: unknown) => error)
    expect(refused).to.include({ status: 400, message: 'Name already taken' })
  })

  it('records when a token was last used, at most once a minute', async () => {
    const { token, accessKey } = await tokens.create(draft('used'), null)
    expect((await stored(token.id))?.lastUsedAt).to.be.null
    await callers.find(accessKey)
    await eventually(async () => (await stored(token.id))?.lastUsedAt instanceof Date)
    const first = (await stored(token.id))?.lastUsedAt
    await callers.find(accessKey)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await stored(token.id))?.lastUsedAt).to.deep.equal(first)
  })

  it('finds a cached token without a database command, and rejects it at once after deletion', async () => {
    const { token, accessKey } = await tokens.create(draft('busy'), null)
    await callers.find(accessKey)
    // The time of the last use is written after `find` has returned.
    await eventually(async () => (await stored(token.id))?.lastUsedAt instanceof Date)
    commands = []
    for (let request = 0; request < 200; request += 1)
      expect((await callers.find(accessKey))?.token.id).to.equal(token.id)
    expect(commands).to.deep.equal([])
    await tokens.remove(token.id)
    expect(await callers.find(accessKey)).to.be.undefined
  })

  it('reuses the compiled grant when a token is read again, until the token or the schema changes', async () => {
    const { token, accessKey } = await tokens.create(draft('steady'), null)
    const grantNow = async () => (await callers.find(accessKey))?.grant
    const first = await grantNow()
    callers.changed()
    commands = []
    expect(await grantNow()).to.equal(first)
    expect(commands).to.include('find')
    await tokens.update(token.id, { permissions: ['api::tag.tag.find', 'api::tag.tag.create'] })
    const second = await grantNow()
    expect(second?.actions).to.include('api::tag.tag.create')
    await tokens.update(token.id, { type: 'read-only' })
    const readOnly = await grantNow()
    expect(readOnly?.actions).not.to.include('api::tag.tag.create')
    registry = createRegistryFrom([], 2)
    expect(await grantNow()).not.to.equal(readOnly)
    registry = smallRegistry
  })

  it('reads a token once for concurrent requests, whether or not it exists', async () => {
    const { accessKey } = await tokens.create(draft('crowded'), null)
    commands = []
    await Promise.all(Array.from({ length: 50 }, () => callers.find(accessKey)))
    await Promise.all(Array.from({ length: 50 }, () => callers.find('nobody has this key')))
    expect(commands.filter((name) => name === 'find')).to.have.lengthOf(2)
  })
})
