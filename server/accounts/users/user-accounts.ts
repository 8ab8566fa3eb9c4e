import type { Db, Filter } from 'mongodb'
import { normalUsername } from './username-rule.js'

/** Fields of a user for authentication, read without the document service, which omits private fields. */
export type Account = Readonly<{
  id: number
  documentId: string
  /** Increases with every write of the user. */
  revision: number
  username: string
  email: string
  provider: string | null
  confirmed: boolean
  blocked: boolean
  /** Argon2id or imported hash. */
  password: string | null
  /** documentId of the role. */
  role: string | null
  resetPasswordToken: string | null
  confirmationToken: string | null
}>

type AccountDocument = Omit<Account, 'id' | 'revision' | 'role'> & {
  _id: number
  _revision: number
  role?: Readonly<{ documentId: string }> | null
}

export type UserAccounts = ReturnType<typeof createUserAccounts>

/** Looks up users by the identifiers in credentials. */
export function createUserAccounts(db: Db) {
  const users = db.collection<AccountDocument>('users')
  const projection = Object.fromEntries(fields.map((field) => [field, 1]))
  const findOne = async (filter: Filter<AccountDocument>): Promise<Account | undefined> => {
    const document = await users.findOne(filter, { projection })
    return document === null ? undefined : toAccount(document)
  }

  return {
    findById: (id: number) => findOne({ _id: id }),
    findByDocumentId: (documentId: string) => findOne({ documentId }),
    /** Ignores case, because addresses are stored in lower case. */
    findByEmail: (email: string) => findOne({ email: email.toLowerCase() }),
    /** Accepts an e-mail address (ignoring case) or a username (docs/internals/strapi-behaviour.md, "Credentials"). */
    findByIdentifier: async (identifier: string) =>
      (await findOne({ email: identifier.toLowerCase() })) ??
      findOne({ username: normalUsername(identifier) }),
    /** Searches both fields for both values, because users can log in with either. */
    isTaken: async (username: string, email: string): Promise<boolean> => {
      const names = [username, email.toLowerCase()]
      const filter = {
        $or: [{ email: { $in: [...names, username.toLowerCase()] } }, { username: { $in: names } }],
      }
      return (await users.findOne(filter, { projection: { _id: 1 } })) !== null
    },
  }
}

const fields = [
  'documentId',
  '_revision',
  'username',
  'email',
  'provider',
  'confirmed',
  'blocked',
  'password',
  'role.documentId',
  'resetPasswordToken',
  'confirmationToken',
]

const toAccount = ({ _id, _revision, role, ...rest }: AccountDocument): Account => ({
  ...defaults,
  ...rest,
  id: _id,
  revision: _revision,
  confirmed: rest.confirmed === true,
  blocked: rest.blocked === true,
  role: role?.documentId ?? null,
})

/** Defaults of fields that a stored user may lack. */
const defaults = {
  provider: null,
  password: null,
  resetPasswordToken: null,
  confirmationToken: null,
}
