import { expect } from 'chai'
import type { Document } from 'mongodb'
import { findRenames } from '../../../cli/import/archive-renames.js'
import { createRenaming } from '../../../cli/import/rename-archive.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { OwnKind } from '../../../server/backup/parts.js'
import type { StoredDefinition } from '../../../server/content-types/definition-store.js'
import { sourced } from '../../../server/content-types/merge-definitions.js'

type Attributes = Readonly<Record<string, object>>

const text = { type: 'string' }
const part = { type: 'component', component: 'shared.part' }
const topics = { type: 'relation', relation: 'morphToMany' }
const owned = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })

const component = (attributes: Attributes): StoredDefinition => ({
  ...{ _id: 'shared.part', kind: 'component', source: 'file', definition: { attributes } },
})
const type = (name: string, attributes: Attributes, more: object = {}): StoredDefinition => ({
  ...{ _id: `api::${name}.${name}`, kind: 'content-type', source: 'file' },
  definition: {
    ...{ kind: 'collectionType', options: { draftAndPublish: true } },
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    ...{ attributes, ...more },
  },
})

/**
 * Some attributes, such as `details`, had been renamed before the export, so the archive and the project store their
 * values in different fields.
 */
const archived = [
  component({ label: { ...text, renamedFrom: 'head', storedAs: 'head' }, raw: { type: 'json' } }),
  type('page', {
    details: { ...text, renamedFrom: 'body', storedAs: 'body' },
    ...{ part, zone: { type: 'dynamiczone', components: ['shared.part'] }, about: topics },
    author: { ...owned('api::page.page'), renamedFrom: 'writer', storedAs: 'writer' },
    kept: text,
  }),
]
const projectDefinitions: readonly SourcedDefinition[] = [
  component({ caption: { ...text, renamedFrom: 'label' }, raw: { type: 'json' } }),
  type(
    'paper',
    {
      summary: { ...text, renamedFrom: 'details' },
      ...{ part, zone: { type: 'dynamiczone', components: ['shared.part'] }, about: topics },
      owner: { ...owned('api::paper.paper'), renamedFrom: 'author' },
      kept: text,
    },
    { renamedFrom: 'api::page.page' },
  ),
].map(sourced)

const page = 'api::page.page'
const paper = 'api::paper.paper'
const documentId = 'a'.repeat(24)

describe('createRenaming', () => {
  const registry = createRegistryFrom(projectDefinitions, 1)
  const end = { entries: { [page]: { published: 1, drafts: 1 } } }
  const archive = { definitions: archived, schema: [], end } as unknown as Parameters<
    typeof findRenames
  >[0]
  const renaming = createRenaming(findRenames(archive, projectDefinitions), archived, registry)

  const versions: readonly (readonly [string, Document, Document])[] = [
    ['renames fields', { body: 'a', kept: 'b' }, { details: 'a', kept: 'b' }],
    [
      'drops a value of a removed attribute from a field that another attribute moves to',
      { details: 1, body: 'a' },
      { details: 'a' },
    ],
    ['drops that value even if the moved attribute has none', { details: 1 }, {}],
    [
      'renames fields in components',
      { part: { id: 1, head: 'a' } },
      { part: { id: 1, label: 'a' } },
    ],
    [
      'renames fields in dynamic zones',
      {
        zone: [
          { __component: 'shared.part', head: 'a' },
          { __component: 'gone.part', head: 'a' },
        ],
      },
      {
        zone: [
          { __component: 'shared.part', label: 'a' },
          { __component: 'gone.part', head: 'a' },
        ],
      },
    ],
    [
      'renames types of polymorphic references, and lists references by the new names',
      {
        about: [
          { documentId, order: 1, __type: page },
          { documentId, order: 2, __type: 'api::x.x' },
        ],
        writer: { documentId, order: 1 },
        _refs: [
          `about:${page}:${documentId}`,
          `about:api::x.x:${documentId}`,
          `writer:${documentId}`,
        ],
      },
      {
        about: [
          { documentId, order: 1, __type: paper },
          { documentId, order: 2, __type: 'api::x.x' },
        ],
        author: { documentId, order: 1 },
        _refs: [
          `about:${paper}:${documentId}`,
          `about:api::x.x:${documentId}`,
          `author:${documentId}`,
        ],
      },
    ],
    [
      'keeps JSON values unchanged',
      { part: { raw: { head: 'a', __type: page, documentId, order: 1 } } },
      { part: { raw: { head: 'a', __type: page, documentId, order: 1 } } },
    ],
    [
      'renames field timestamps',
      { _stamps: { body: 1, kept: 2 } },
      { _stamps: { details: 1, kept: 2 } },
    ],
    [
      'renames pending changes of relations',
      { _pending: [{ owner: page, field: 'writer', locale: null, documentId, order: 1 }] },
      { _pending: [{ owner: paper, field: 'author', locale: null, documentId, order: 1 }] },
    ],
  ]
  for (const [what, before, after] of versions)
    it(what, () => {
      expect(renaming.version(typeOf(registry, paper), before)).to.deep.equal(after)
    })

  it('keeps the values of a renamed attribute if a new attribute has the name of their field', () => {
    const renamed = [type('page', { title: { ...text, renamedFrom: 'head', storedAs: 'head' } })]
    const fresh = createRegistryFrom([type('page', { title: text, head: text })].map(sourced), 1)
    const { version } = createRenaming({ types: [], attributes: [] }, renamed, fresh)
    expect(version(typeOf(fresh, page), { head: 'a' })).to.deep.equal({ title: 'a' })
  })

  it('renames fields of a type whose renaming was unfinished when the archive was written', () => {
    const schema = [{ _id: 'version', renaming: [{ from: 'api::leaf.leaf', to: page }] }]
    const renames = findRenames({ ...archive, schema }, projectDefinitions)
    expect(renames.types).to.deep.equal([
      { from: page, to: paper },
      { from: 'api::leaf.leaf', to: paper },
    ])
    const { version } = createRenaming(renames, archived, registry)
    expect(version(typeOf(registry, paper), { body: 'a' })).to.deep.equal({ details: 'a' })
  })

  const permissions = [`${page}.find`, 'api::pages.pages.find', 'api::page.page2.find']
  const renamed = [`${paper}.find`, 'api::pages.pages.find', 'api::page.page2.find']

  it('renames permissions of roles', () => {
    const role = typeOf(registry, 'plugin::users-permissions.role')
    expect(renaming.version(role, { permissions })).to.deep.equal({ permissions: renamed })
  })

  const own: readonly (readonly [OwnKind, Document, Document])[] = [
    ['singles', { _id: page, documentId }, { _id: paper, documentId }],
    ['legacyIds', { _id: `${page}:5f0c`, documentId }, { _id: `${paper}:5f0c`, documentId }],
    ['sequences', { _id: page, value: 7 }, { _id: paper, value: 7 }],
    ['sequences', { _id: '_components', value: 7 }, { _id: '_components', value: 7 }],
    ['tokens', { _id: 1, permissions }, { _id: 1, permissions: renamed }],
    ['tokens', { _id: 1, type: 'read-only' }, { _id: 1, type: 'read-only' }],
    ['settings', { _id: 'default-locale', value: 'de' }, { _id: 'default-locale', value: 'de' }],
  ]
  for (const [kind, before, after] of own)
    it(`renames uids in ${kind}: ${String(before._id)}`, () => {
      expect(renaming.own(kind, before)).to.deep.equal(after)
    })
})
