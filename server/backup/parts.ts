import { builtIn } from '../../engine/schema/registry.js'
import { folderUid } from '../upload/folders/folder-types.js'

/** Parts of a backup, which can be selected by name. */
export const parts = ['schema', 'content', 'media', 'users', 'roles', 'tokens', 'settings'] as const
export type Part = (typeof parts)[number]

/** Descriptions that users see. */
export const partMeanings: Readonly<Record<Part, string>> = {
  schema: 'definitions of content-types and components',
  content: 'entries of content-types',
  media: 'files with their content, and folders',
  users: 'users and admins, with the hashes of their passwords',
  roles: 'roles with their permissions',
  tokens: 'API tokens, as hashes',
  settings: 'locales, the default locale, the level of the log, and with --secrets the secrets',
}

const partByUid: ReadonlyMap<string, Part> = new Map([
  [builtIn.file, 'media'],
  [folderUid, 'media'],
  [builtIn.user, 'users'],
  [builtIn.adminUser, 'users'],
  [builtIn.role, 'roles'],
  [builtIn.locale, 'settings'],
])

/** Returns the part to which a content-type's entries belong. */
export const partOf = (uid: string): Part => partByUid.get(uid) ?? 'content'

/** Kinds of internal documents, which are not entries. */
export const ownKinds = ['singles', 'legacyIds', 'tokens', 'settings', 'sequences'] as const
export type OwnKind = (typeof ownKinds)[number]

/** The collection of each kind of internal document. */
export const ownCollections: Readonly<Record<OwnKind, string>> = {
  singles: '_singles',
  legacyIds: '_legacyIds',
  tokens: '_api_tokens',
  settings: '_settings',
  sequences: '_sequences',
}

/** Returns `api::article.article` for `api::article.article:6b02…`. */
export const uidOfLegacyId = (id: unknown): string => /^(\w+::[^:]+):/.exec(String(id))?.[1] ?? ''

/**
 * Ids of the documents in `_settings` that a backup contains. Other documents there belong to one database or to
 * running processes.
 */
export const carriedSettings: ReadonlySet<string> = new Set(['default-locale', 'log-level'])
/** Id of the generated secrets in `_settings`. */
export const secretsId = 'secrets'
