import type { Db, Filter } from 'mongodb'
import type { AdminIdentity } from '../caller.js'

export type Admin = AdminIdentity &
  Readonly<{
    firstname: string | null
    lastname: string | null
    username: string | null
    isActive: boolean
    blocked: boolean
    createdAt: Date
    updatedAt: Date
  }>

/** An admin with the secrets that no response shows. */
export type AdminAccount = Admin &
  Readonly<{
    password: string | null
    /** MAC and expiry of the invitation code. */
    registrationToken: string | null
    /** MAC and expiry of the reset code. */
    resetPasswordToken: string | null
  }>

type AdminDocument = Omit<AdminAccount, 'id'> & { _id: number }

export type AdminAccounts = ReturnType<typeof createAdminAccounts>

/** Lookups in `admin_users`. They bypass the document service, which omits private fields. */
export function createAdminAccounts(db: Db) {
  const admins = db.collection<AdminDocument>('admin_users')
  const findOne = async (filter: Filter<AdminDocument>): Promise<AdminAccount | undefined> => {
    const document = await admins.findOne(filter)
    return document === null ? undefined : toAccount(document)
  }
  return {
    findById: (id: number) => findOne({ _id: id }),
    findByDocumentId: (documentId: string) => findOne({ documentId }),
    findByEmail: (email: string) => findOne({ email: email.toLowerCase() }),
    count: () => admins.countDocuments(),
    isActiveWithout: async (id: number) => {
      const usable = { isActive: true, blocked: { $ne: true }, password: { $ne: null } }
      const other = { _id: { $ne: id }, ...usable }
      return (await admins.findOne(other, { projection: { _id: 1 } })) !== null
    },
    list: async ({ start, limit }: Readonly<{ start: number; limit: number }>) => {
      const documents = await admins.find().sort({ _id: 1 }).skip(start).limit(limit).toArray()
      return documents.map(toAccount)
    },
  }
}

/** Returns all stored fields, including secrets. For responses, use `showAdmin` instead. */
const toAccount = ({ _id, isActive, blocked, ...rest }: AdminDocument): AdminAccount => ({
  ...defaults,
  ...rest,
  id: _id,
  isActive: isActive === true,
  blocked: blocked === true,
})

const defaults = {
  firstname: null,
  lastname: null,
  username: null,
  password: null,
  registrationToken: null,
  resetPasswordToken: null,
}
