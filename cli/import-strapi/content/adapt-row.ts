import { builtIn } from '../../../engine/schema/registry.js'
import type { Fields } from '../../../engine/values/stored-types.js'
import { isLegacyHash } from '../../../server/accounts/legacy-hashes.js'
import { normalUsername } from '../../../server/accounts/users/username-rule.js'
import { folderUid } from '../../../server/upload/folders/folder-types.js'
import { isObject } from '../../../engine/values/is-object.js'
import { keyOf, type ExportedEntity } from '../archive/exported.js'
import { assetsOf, type FileRules } from '../media/file-assets.js'
import type { Notes } from '../notes.js'

type AdaptContext = Readonly<{
  notes: Notes
  files: FileRules
  /** Returns the actions of a role that exist in Quire. */
  actionsOf: (role: string) => readonly string[]
}>

/** Adapts the content of a row if its type is built-in. */
export function adaptRow(
  { type, id, data }: ExportedEntity,
  content: Fields,
  { notes, files, actionsOf }: AdaptContext,
): Fields {
  switch (type) {
    case builtIn.user:
      return adaptUser(content, notes)
    case builtIn.role:
      return { ...content, permissions: actionsOf(keyOf(type, id)) }
    case builtIn.file: {
      const { members, isRenamed } = assetsOf(data, files)
      if (isRenamed)
        notes.adapted('names of stored files, and therefore their addresses', String(data.hash))
      return { ...content, ...members, folder: placeOf(content.folder) }
    }
    case folderUid:
      return { ...content, parent: placeOf(content.parent) }
    default:
      return content
  }
}

function adaptUser(content: Fields, notes: Notes): Fields {
  const { username, email, password, resetPasswordToken, confirmationToken } = content
  // Codes that Strapi has mailed do not work in Quire, because their format differs.
  if (resetPasswordToken !== null || confirmationToken !== null)
    notes.leftOut('codes that were mailed to users, who must request new ones')
  const isUsable = typeof password === 'string' && isLegacyHash(password)
  if (password !== null && !isUsable)
    notes.leftOut('passwords that are not bcrypt hashes, whose users must choose new ones by mail')
  return {
    ...content,
    password: isUsable ? password : null,
    username: typeof username === 'string' ? normalUsername(username) : username,
    email: typeof email === 'string' ? email.toLowerCase() : email,
    resetPasswordToken: null,
    confirmationToken: null,
  }
}

/**
 * Returns a reference to a folder with only its documentId. Other references have more members, because they are
 * indexed (docs/internals/decisions.md, "Folders are for admins").
 */
const placeOf = (reference: unknown): unknown =>
  isObject(reference) ? { documentId: reference.documentId } : null
