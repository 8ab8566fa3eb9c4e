import { ApiError, fail } from '../../../engine/errors.js'
import { fullGrant, type Grant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Writer } from '../caller.js'
import type { WriteRequest } from '../../content/documents.js'
import type { RequestedRead } from '../../http/request/http-request.js'
import { found, recordIdOf } from '../../http/route.js'
import type { Services } from '../../services.js'
import type { UserData } from './user-bodies.js'

type GrantedWriter = Writer & Pick<WriteRequest, 'grant' | 'ignored'>

type UserDocument = Readonly<{ _id: number; documentId: string; username: string; email: string }>

/** Manages the users of `/api/users` by numeric id. */
export function createUsers(services: Services, userChanged: (id: number) => void) {
  const { db, documents, registry } = services
  const users = db.collection<UserDocument>('users')
  const type = () => typeOf(registry(), builtIn.user)

  const find = async (id: string | undefined): Promise<UserDocument> => {
    const projection = { documentId: 1, username: 1, email: 1 }
    return found(await users.findOne({ _id: recordIdOf(id) }, { projection }), 'User not found')
  }

  const refuseTaken = async (data: UserData, own?: number): Promise<void> => {
    const isTaken = async (key: 'username' | 'email'): Promise<boolean> => {
      if (data[key] === undefined) return false
      const filter = { [key]: data[key], _id: { $ne: own ?? -1 } }
      return (await users.findOne(filter, { projection: { _id: 1 } })) !== null
    }
    // Check the username only for an existing user. For a new user, the uniqueness check of the content-type does it.
    if (own !== undefined && (await isTaken('username')))
      throw fail('application', 'Username already taken')
    if (await isTaken('email')) throw fail('application', 'Email already taken')
  }

  return {
    /** Throws `not-found-because` for an unknown id. */
    find,
    show: (id: number, request: RequestedRead) =>
      documents.findOne(type(), { id }, { ...request, envelope: 'bare', parameters: 'lenient' }),
    showRoles: () => type().attributes.get('role')?.private !== true,

    list: (request: RequestedRead) =>
      documents.find(type(), { ...request, envelope: 'bare', parameters: 'lenient' }),

    count: async (request: RequestedRead): Promise<number> => {
      const read = { ...request, envelope: 'content', parameters: 'lenient' } as const
      const { bytes } = await documents.find(type(), read)
      const answer = JSON.parse(new TextDecoder().decode(bytes)) as Counted
      return answer.meta.pagination.total
    },

    create: async (data: UserData, by: GrantedWriter): Promise<number> => {
      await refuseTaken(data)
      const whole = { ...data, provider: 'local' }
      const written = documents.create(type(), whole, { ...by, grant: withRoles(by.grant) })
      return (await written.catch(rethrow)).id
    },

    update: async (user: UserDocument, data: UserData, by: GrantedWriter): Promise<void> => {
      await refuseTaken(data, user._id)
      const whole = { ...data, ...endedCodes(user, data) }
      const write = { ...by, grant: withRoles(by.grant) }
      await documents.update(type(), user.documentId, whole, write).catch(rethrow)
      userChanged(user._id)
    },

    remove: async ({ _id, documentId }: UserDocument, by: Writer): Promise<void> => {
      await documents.delete(type(), documentId, { ...by, grant: fullGrant })
      userChanged(_id)
    },
  }
}

/** Lets callers who may write users set a role. Other relations still require permission to find their targets. */
const withRoles = ({ key, actions }: Grant): Grant =>
  actions === 'all'
    ? fullGrant
    : { key: `${key} roles`, actions: new Set([...actions, `${builtIn.role}.find`]) }

/**
 * Returns an update that sets the fields of invalidated codes to null. A new e-mail address invalidates both codes, a
 * new password only the reset code.
 */
function endedCodes(user: UserDocument, { email, password }: UserData): object {
  const moved = email !== undefined && email !== user.email
  return {
    ...(moved && { confirmationToken: null }),
    ...((moved || password !== undefined) && { resetPasswordToken: null }),
  }
}

type Counted = Readonly<{ meta: Readonly<{ pagination: Readonly<{ total: number }> }> }>

/** Rethrows `validation` as `application`, as Strapi does for users. */
function rethrow(error: unknown): never {
  if (error instanceof ApiError && error.code === 'validation')
    throw fail('application', error.message, error.details)
  throw error
}
