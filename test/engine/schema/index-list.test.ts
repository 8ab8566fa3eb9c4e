import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import type { Index } from '../../../engine/schema/index-list.js'
import { indexList } from '../../../engine/schema/index-list.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { component, contentType, define } from './define.js'

const blog = fileURLToPath(new URL('../../../../test/fixtures/blog', import.meta.url))

const plain = (name: string, ...fields: string[]): Index => ({ name, fields, unique: false })
const unique = (name: string, ...fields: string[]): Index => ({ name, fields, unique: true })
const partial = (index: Index, field: string, least: string | number | Date) => ({
  ...index,
  partial: { field, least },
})

const relation = (name: string) =>
  plain(
    `quire_${name}.documentId+${name}.order+locale`,
    ...[`${name}.documentId`, `${name}.order`, 'locale'],
  )

const document = unique('quire_documentId+locale:unique', 'documentId', 'locale')
/** The index of all references. Only types with media, or with references in components, have it. */
const byList = partial(plain('quire__refs:partial', '_refs'), '_refs', '')
const modified = {
  ...plain('', '_modified', 'locale', '_id', 'documentId', 'updatedAt'),
  name: 'quire__modified+locale+_id+documentId+updatedAt:partial',
  partial: { field: '_modified', least: true },
}
const byLocale = plain('quire_locale+_id', 'locale', '_id')

describe('indexList', () => {
  it('covers both collections of a localized type with drafts', async () => {
    const registry = createRegistryFrom(await readSchemaFiles(blog), 1)
    const [published, draft, ...others] = indexList(typeOf(registry, 'api::post.post'))
    expect(published).to.deep.equal({
      collection: 'posts',
      indexes: [
        document,
        byLocale,
        partial(unique('quire_slug+locale:unique:partial', 'slug', 'locale'), 'slug', ''),
        plain('quire_locale+rating+_id', 'locale', 'rating', '_id'),
        partial(unique('quire_isbn+locale:unique:partial', 'isbn', 'locale'), 'isbn', -Infinity),
        relation('author'),
        relation('page'),
        partial(
          unique('quire_page.documentId+locale:unique:partial', 'page.documentId', 'locale'),
          'page.documentId',
          '',
        ),
        relation('editor'),
        byList,
        plain('quire_publishedAt+_id', 'publishedAt', '_id'),
      ],
    })
    expect(draft).to.deep.equal({
      collection: 'posts.draft',
      indexes: [
        document,
        byLocale,
        partial(plain('quire_slug+locale:partial', 'slug', 'locale'), 'slug', ''),
        plain('quire_locale+rating+_id', 'locale', 'rating', '_id'),
        partial(plain('quire_isbn+locale:partial', 'isbn', 'locale'), 'isbn', -Infinity),
        relation('author'),
        relation('page'),
        partial(
          unique('quire_page.documentId+locale:unique:partial', 'page.documentId', 'locale'),
          'page.documentId',
          '',
        ),
        relation('editor'),
        byList,
        modified,
        plain('quire_publishedAt+_id', 'publishedAt', '_id'),
      ],
    })
    expect(others).to.be.empty
  })

  it('uses stored field names, and no leading locale in a type without locales', async () => {
    const registry = createRegistryFrom(await readSchemaFiles(blog), 1)
    expect(indexList(typeOf(registry, 'api::person.person'))).to.deep.equal([
      {
        collection: 'people',
        indexes: [
          document,
          plain('quire_fullName+_id', 'fullName', '_id'),
          partial(
            unique('quire_born+locale:unique:partial', 'born', 'locale'),
            'born',
            new Date(-8_640_000_000_000_000),
          ),
        ],
      },
    ])
  })

  it('includes unique values of components, but not for drafts', () => {
    const item = { type: 'component', component: 'shop.item' }
    const registry = define(
      contentType({ item }, { options: { draftAndPublish: true } }),
      component('shop.item', { slug: { type: 'uid' } }),
    )
    const names = indexList(typeOf(registry, 'api::thing.thing')).map(({ indexes }) =>
      indexes.flatMap(({ name, unique }) => (name.includes('_uniques') ? [{ name, unique }] : [])),
    )
    expect(names).to.deep.equal([
      [
        {
          name: 'quire__uniques.is+_uniques.clash+locale:unique:partial',
          unique: true,
        },
        { name: 'quire__uniques.clash:partial', unique: false },
      ],
      [],
    ])
  })

  it('omits the locale from reference indexes of a type without locales', () => {
    const author = { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' }
    const owner = { type: 'relation', relation: 'morphToOne' }
    const registry = define(contentType({ author, owner }))
    const [{ indexes } = { indexes: [] }] = indexList(typeOf(registry, 'api::thing.thing'))
    expect(indexes.map(({ fields }) => fields)).to.deep.equal([
      ['documentId', 'locale'],
      ['author.documentId', 'author.order'],
      ['owner.documentId', 'owner.order'],
    ])
  })

  it('allows one version per locale of a single type', async () => {
    const registry = createRegistryFrom(await readSchemaFiles(blog), 1)
    expect(indexList(typeOf(registry, 'api::front-page.front-page'))).to.deep.equal([
      { collection: 'front_pages', indexes: [document, unique('quire_locale:unique', 'locale')] },
    ])
  })

  it('includes an index once, even if it is requested twice', () => {
    const registry = define(
      contentType(
        { a: { type: 'string', index: true } },
        { options: { indexes: [['a'], ['id']] } },
      ),
    )
    const [{ indexes } = { indexes: [] }] = indexList(typeOf(registry, 'api::thing.thing'))
    expect(indexes.map(({ fields }) => fields)).to.deep.equal([
      ['documentId', 'locale'],
      ['a', '_id'],
      ['_id'],
    ])
  })
})
