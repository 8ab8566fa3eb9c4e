import { builtIn } from '../../engine/schema/registry.js'
import { folderUid } from '../upload/folders/folder-types.js'

/** What a backup is made of, and what can be chosen by name. */
export const parts = ['schema', 'content', 'media', 'users', 'roles', 'tokens', 'settings'] as const
export type Part = (typeof parts)[number]

/** What each of them is, for people. */
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

/** The part that the entries of a content-type belong to. */
export const partOf = (uid: string): Part => partByUid.get(uid) ?? 'content'

/** Documents of the service's own that are no entries. */
export const ownKinds = ['singles', 'legacyIds', 'tokens', 'settings', 'sequences'] as const
export type OwnKind = (typeof ownKinds)[number]

/** Where they are stored. */
export const ownCollections: Readonly<Record<OwnKind, string>> = {
  singles: '_singles',
  legacyIds: '_legacyIds',
  tokens: '_api_tokens',
  settings: '_settings',
  sequences: '_sequences',
}

/** The content-type of an entry that was known by an id of before: `api::article.article:6b02…`. */
export const uidOfLegacyId = (id: unknown): string => /^(\w+::[^:]+):/.exec(String(id))?.[1] ?? ''

/** Of `_settings`, what a backup has; the rest belongs to one database, or to what runs over it. */
export const carriedSettings: ReadonlySet<string> = new Set(['default-locale', 'log-level'])
/** The secrets that nobody gave, which were drawn at the first start. */
export const secretsId = 'secrets'
