import type {
  Attribute,
  AttributeBase,
  RelationAttribute,
  ScalarAttribute,
} from '../../../engine/schema/attribute.js'
import type { ContentType } from '../../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../../engine/schema/registry.js'
import { memoize } from '../../../engine/values/memoize.js'

/** Strapi uses the same uid. */
export const folderUid = 'plugin::upload.folder'
export const folderCollection = '_folders'

const base = (name: string): AttributeBase => ({
  name,
  storedAs: name,
  required: false,
  private: false,
  localized: false,
})

const scalar = (name: string, type: 'string' | 'integer', more: object = {}): ScalarAttribute => ({
  ...base(name),
  type,
  unique: false,
  index: false,
  enum: [],
  ...more,
})

const relation = (
  name: string,
  target: string,
  inverseSide: string,
  many: boolean,
): RelationAttribute => ({
  ...base(name),
  type: 'relation',
  relation: many ? 'oneToMany' : 'manyToOne',
  target,
  inverseSide,
  owner: !many,
  many,
  exclusive: many,
})

const byName = (attributes: readonly Attribute[]) =>
  attributes.map((attribute) => [attribute.name, Object.freeze(attribute)] as const)

/** Folders of the media library, as admins read them. */
const folderType: ContentType = Object.freeze({
  uid: folderUid,
  kind: 'collectionType',
  origin: 'built-in',
  displayName: 'Folder',
  singularName: 'folder',
  pluralName: 'folders',
  collectionName: folderCollection,
  draftAndPublish: false,
  localized: false,
  populateCreatorFields: false,
  indexes: [],
  definition: {},
  attributes: new Map(
    byName([
      scalar('name', 'string'),
      scalar('pathId', 'integer'),
      scalar('path', 'string', { searchable: false }),
      relation('parent', folderUid, 'children', false),
      relation('children', folderUid, 'parent', true),
      relation('files', builtIn.file, 'folder', true),
    ]),
  ),
})

/**
 * Adds the content-type of folders and an attribute for each file's folder (docs/internals/decisions.md, "Folders are
 * for admins"). Memoized, so that prepared queries stay cached.
 */
export const withFolders = memoize((registry: Registry): Registry => {
  const file = typeOf(registry, builtIn.file)
  const place = byName([
    relation('folder', folderUid, 'files', false),
    scalar('folderPath', 'string', { searchable: false }),
  ])
  const fileType: ContentType = Object.freeze({
    ...file,
    attributes: new Map([...file.attributes, ...place]),
  })
  return Object.freeze({
    ...registry,
    contentTypes: new Map([
      ...registry.contentTypes,
      [builtIn.file, fileType],
      [folderUid, folderType],
    ]),
  })
})
