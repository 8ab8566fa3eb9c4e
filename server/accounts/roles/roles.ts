import { createId } from '../../../engine/values/create-id.js'
import type { Db, Filter } from 'mongodb'
import { listRelation } from '../../../engine/database/list-references.js'
import { fail } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { AccessFeature } from '../create-access.js'
import type { Writer } from '../caller.js'
import { found, recordIdOf } from '../../http/route.js'
import type { Services } from '../../services.js'

/** A role as it is stored. */
export type RoleDocument = Readonly<{
  _id: number
  documentId: string
  name: string
  description: string | null
  type: string
  permissions: readonly string[]
  createdAt: Date
  updatedAt: Date
  publishedAt: Date | null
}>

export type RoleChange = Readonly<{
  name?: string | undefined
  description?: string | null | undefined
  permissions?: readonly string[] | undefined
}>

/** The store of roles. Its writes take effect with the next request. */
export function createRoles(services: Services, access: AccessFeature) {
  const { db, documents, registry } = services
  const roles = db.collection<RoleDocument>('roles')
  const type = () => typeOf(registry(), builtIn.role)
  const find = async (filter: Filter<RoleDocument>): Promise<RoleDocument> =>
    found(await roles.findOne(filter), 'Role not found')

  return {
    find: (id: string | undefined) => find({ _id: recordIdOf(id) }),
    findByType: (type: string) => find({ type }),

    list: async (): Promise<readonly (readonly [RoleDocument, number])[]> => {
      const all = await roles.find().sort({ _id: 1 }).limit(maxListed).toArray()
      return Promise.all(
        all.map(async (role) => [role, await countUsers(db, role.documentId)] as const),
      )
    },

    /** If no type is given, derives the type from the name. */
    create: async (data: RoleChange & Readonly<{ name: string; type?: string }>, by: Writer) => {
      const write = { ...by, grant: fullGrant }
      await documents.create(type(), { type: typeNameOf(data.name), ...data }, write)
      access.rolesChanged()
    },

    update: async ({ documentId }: RoleDocument, change: RoleChange, by: Writer) => {
      await documents.update(type(), documentId, change, { ...by, grant: fullGrant })
      access.rolesChanged()
    },

    /** Users of a deleted role get the public role, as in Strapi. */
    remove: async (role: RoleDocument, by: Writer) => {
      if (role.type === 'public' || role.type === 'authenticated')
        throw fail('application', `Cannot delete ${role.type} role`)
      const forPublic = await roles.findOne({ type: 'public' })
      by.time?.begin()
      if (forPublic !== null) await moveUsers(db, role.documentId, forPublic.documentId)
      await documents.delete(type(), role.documentId, { ...by, grant: fullGrant })
      access.rolesChanged()
      access.userChanged()
    },
  }
}

const maxListed = 1000

const countUsers = (db: Db, documentId: string): Promise<number> =>
  db.collection('users').countDocuments({ 'role.documentId': documentId })

async function moveUsers(db: Db, from: string, to: string): Promise<void> {
  const now = Date.now()
  await db.collection('users').updateMany({ 'role.documentId': from }, [
    {
      $set: {
        role: { documentId: to, order: now },
        _revision: { $max: [{ $add: ['$_revision', 1] }, now] },
      },
    },
    listRelation('role'),
  ])
}

/** Returns `editeur_en_chef` for `Éditeur en chef`. Random for a name without Latin letters and digits. */
function typeNameOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || createId()
}
