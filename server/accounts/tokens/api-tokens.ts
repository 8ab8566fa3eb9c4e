import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { fail } from '../../../engine/errors.js'
import type { ApiToken, ApiTokens, MadeToken, TokenDraft } from '../access-control.js'

/** Journaled on one server, by the majority of several (docs/storage.md, "The rules of writing"). */
const durable = { writeConcern: { w: 'majority', journal: true } } as const

/**
 * What `_api_tokens` holds; `accessKey` is the HMAC of the key that its owner has (docs/decisions.md,
 * "Secrets are kept as hashes").
 */
export type TokenDocument = Omit<ApiToken, 'id'> & {
  _id: number
  accessKey: string
  /** documentId of the admin user who made it. */
  owner: string | null
}

/** Hashes a key as the store keeps it; fast, because a key has 512 random bits. */
export type HashKey = (accessKey: string) => string

export const createHashKey =
  (salt: string): HashKey =>
  (accessKey) =>
    createHmac('sha512', salt).update(accessKey).digest('hex')

/** The store of API tokens. `changed` is called after every write that matters to who may do what. */
export function createApiTokens(db: Db, hashKey: HashKey, changed: () => void): ApiTokens {
  const tokens = db.collection<TokenDocument>('_api_tokens')
  const show = (document: TokenDocument | null) =>
    document === null ? undefined : toApiToken(document)

  const change = async (id: number, fields: Partial<TokenDocument>) => {
    const document = await unlessTaken(() =>
      tokens.findOneAndUpdate(
        { _id: id },
        { $set: { ...fields, updatedAt: new Date() } },
        { returnDocument: 'after', ...durable },
      ),
    )
    changed()
    return show(document)
  }

  return {
    list: async () =>
      (await tokens.find().sort({ _id: 1 }).limit(maxListed).toArray()).map(toApiToken),
    find: async (id) => show(await tokens.findOne({ _id: id })),
    create: async (draft, owner) => {
      const accessKey = newKey()
      const now = new Date()
      const document: TokenDocument = {
        _id: await takeId(db, '_api_tokens'),
        ...draft,
        accessKey: hashKey(accessKey),
        expiresAt: expiryOf(draft, now),
        lastUsedAt: null,
        owner,
        createdAt: now,
        updatedAt: now,
      }
      await unlessTaken(() => tokens.insertOne(document, durable))
      return { token: toApiToken(document), accessKey }
    },
    update: (id, fields) => change(id, fields),
    remove: async (id) => {
      const document = await tokens.findOneAndDelete({ _id: id }, durable)
      changed()
      return show(document)
    },
    regenerate: async (id): Promise<MadeToken | undefined> => {
      const found = await tokens.findOne({ _id: id })
      if (found === null) return undefined
      const accessKey = newKey()
      const expiresAt = expiryOf(found, new Date())
      const token = await change(id, { accessKey: hashKey(accessKey), expiresAt })
      return token === undefined ? undefined : { token, accessKey }
    },
  }
}

/** Makes the indexes that lookups and uniqueness need. */
export async function prepareApiTokens(db: Db): Promise<void> {
  await db.collection('_api_tokens').createIndexes([
    { key: { accessKey: 1 }, unique: true },
    { key: { name: 1 }, unique: true },
  ])
}

const maxListed = 1000

const newKey = (): string => randomBytes(64).toString('hex')

const expiryOf = ({ lifespan }: Pick<TokenDraft, 'lifespan'>, from: Date): Date | null =>
  lifespan === null ? null : new Date(from.getTime() + lifespan)

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateKey(error)) throw fail('application', { message: 'Name already taken' })
    throw error
  }
}

const toApiToken = (document: TokenDocument): ApiToken => ({
  id: document._id,
  name: document.name,
  description: document.description,
  type: document.type,
  permissions: document.permissions,
  lifespan: document.lifespan,
  expiresAt: document.expiresAt,
  lastUsedAt: document.lastUsedAt,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
})
