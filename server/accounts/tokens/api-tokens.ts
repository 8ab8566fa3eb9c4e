import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { durable } from '../../../engine/database/durability.js'
import { isDuplicateKey } from '../../../engine/database/duplicate-key.js'
import { takeId } from '../../../engine/database/take-ids.js'
import { fail } from '../../../engine/errors.js'

export type TokenKind = 'full-access' | 'read-only' | 'custom'

/** An API token without its key. */
export type ApiToken = Readonly<{
  id: number
  name: string
  description: string
  type: TokenKind
  /** Action ids; empty unless `type` is `custom`. */
  permissions: readonly string[]
  /** In milliseconds from the creation of the key; null: unlimited. */
  lifespan: number | null
  expiresAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

export type TokenDraft = Pick<
  ApiToken,
  'name' | 'description' | 'type' | 'permissions' | 'lifespan'
>

export type ApiTokens = ReturnType<typeof createApiTokens>

/** A document of `_api_tokens`. `accessKey` is an HMAC (docs/internals/decisions.md, "Secrets are kept as hashes"). */
export type TokenDocument = Omit<ApiToken, 'id'> & {
  _id: number
  accessKey: string
  /** documentId of the admin who created the token. */
  owner: string | null
}

/** Hashes a key. A fast hash suffices, because a key has 512 random bits. */
export type HashKey = (accessKey: string) => string

export const createHashKey =
  (salt: string): HashKey =>
  (accessKey) =>
    createHmac('sha512', salt).update(accessKey).digest('hex')

/**
 * Stores API tokens. Methods return undefined for unknown tokens. Writes that affect an existing token's permissions
 * call `changed`. A key is returned only when it is created.
 */
export function createApiTokens(db: Db, hashKey: HashKey, changed: () => void) {
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
    find: async (id: number) => show(await tokens.findOne({ _id: id })),
    /** Throws `application` if the name is taken. */
    create: async (draft: TokenDraft, owner: string | null) => {
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
    update: (id: number, fields: Partial<Omit<TokenDraft, 'lifespan'>>) => change(id, fields),
    remove: async (id: number) => {
      const document = await tokens.findOneAndDelete({ _id: id }, durable)
      changed()
      return show(document)
    },
    /** Replaces the token's key. Its lifespan begins again. */
    regenerate: async (id: number) => {
      const found = await tokens.findOne({ _id: id })
      if (found === null) return undefined
      const accessKey = newKey()
      const expiresAt = expiryOf(found, new Date())
      const token = await change(id, { accessKey: hashKey(accessKey), expiresAt })
      return token && { token, accessKey }
    },
  }
}

/** Creates the indexes. */
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
    if (isDuplicateKey(error)) throw fail('application', 'Name already taken')
    throw error
  }
}

const toApiToken = ({
  _id: id,
  accessKey: _accessKey,
  owner: _owner,
  ...token
}: TokenDocument): ApiToken => ({ id, ...token })
