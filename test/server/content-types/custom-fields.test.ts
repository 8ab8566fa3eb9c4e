import path from 'node:path'
import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define-registry.js'
import { lineOf } from '../../../engine/schema/schema-error.js'
import type { CustomFields } from '../../../server/content-types/custom-fields.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { loadConfig } from '../../../server/settings/config.js'
import type { TestApp } from '../../support/start-app.js'
import { startApp } from '../../support/start-app.js'
import { makeFolder, removeFolder } from '../../support/temporary-folder.js'

const custom = (customField: string, more: object = {}) => ({
  type: 'customField',
  customField,
  ...more,
})

const page = {
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: {
    color: custom('plugin::color-picker.color', {
      regex: '^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$',
      options: { format: 'hex' },
    }),
    kinds: custom('plugin::multi-select.multi-select', { options: ['a', 'b'], default: '[]' }),
    text: custom('plugin::ckeditor5.CKEditor', { options: { preset: 'rich' }, required: true }),
    place: custom('plugin::maps.place', { options: { regex: '(' } }),
    rating: custom('global::rating'),
  },
}

describe('custom fields', () => {
  let folder: string
  before(async () => (folder = await makeFolder({ 'content-types/page.json': page })))
  after(() => removeFolder(folder))

  const read = async (customFields?: CustomFields) => {
    const warnings: string[] = []
    const definitions = await readSchemaFiles(folder, {
      ...(customFields === undefined ? {} : { customFields }),
      warn: (warning) => void warnings.push(lineOf(warning)),
    })
    const type = createRegistryFrom(definitions, 1).contentTypes.get('api::page.page')
    const types = [...(type?.attributes.values() ?? [])].map(({ type }) => type)
    return { types, warnings, type }
  }
  const file = () => path.join(folder, 'content-types/page.json')

  it('are stored as the type of their plugin; what nobody knows may be any JSON value', async () => {
    const { types, warnings } = await read()
    expect(types).to.deep.equal(['string', 'json', 'richtext', 'json', 'json'])
    expect(warnings).to.deep.equal(
      ['place.customField: nothing is known of "plugin::maps.place"']
        .concat('rating.customField: nothing is known of "global::rating"')
        .map(
          (start) =>
            `${file()}: attributes.${start}: it may hold any JSON value; the setting schema.customFields can name its type`,
        ),
    )
  })

  it('are told of once where nobody knows them, however many attributes have them', async () => {
    const many = await makeFolder({
      'content-types/page.json': {
        ...page,
        attributes: { a: custom('plugin::maps.place'), b: custom('plugin::maps.place') },
      },
      'components/shared/spot.json': { attributes: { c: custom('plugin::maps.place') } },
    })
    const warnings: string[] = []
    await readSchemaFiles(many, { warn: (warning) => void warnings.push(lineOf(warning)) })
    await removeFolder(many)
    expect(warnings.map((line) => line.replace(many, ''))).to.deep.equal([
      '/content-types/page.json: attributes.a.customField: nothing is known of "plugin::maps.place", which 2 more attributes have: it may hold any JSON value; the setting schema.customFields can name its type',
    ])
  })

  it('have the type that schema.customFields names', async () => {
    const customFields = { 'plugin::maps.place': 'string', 'global::rating': 'integer' }
    const { types, warnings } = await read(customFields)
    expect(types).to.deep.equal(['string', 'json', 'richtext', 'string', 'integer'])
    expect(warnings).to.deep.equal([])
  })

  it('are named in the setting as an object, or in pairs', () => {
    const { settings } = loadConfig(
      { SCHEMA_CUSTOM_FIELDS: 'plugin::maps.place=json, global::rating=integer' },
      folder,
    )
    expect(settings['schema.customFields']).to.deep.equal({
      'plugin::maps.place': 'json',
      'global::rating': 'integer',
    })
    expect(() => loadConfig({ SCHEMA_CUSTOM_FIELDS: 'plugin::maps.place=map' }, folder)).to.throw(
      /SCHEMA_CUSTOM_FIELDS must be names with one of `string`, `text`, .* each, not \{"plugin::maps.place":"map"\}/,
    )
  })

  describe('of a service', () => {
    let app: TestApp
    before(async () => {
      app = await startApp({ schema: { 'content-types/page.json': page } })
    })
    after(() => app.stop())

    it('take and show values of their type', async () => {
      const data = {
        ...{ color: '#a0b1c2', kinds: ['a'], text: '<p>Rain</p>' },
        ...{ place: { lat: 1 }, rating: 4 },
      }
      const { token } = app
      const made = await app.request('POST', '/api/pages', { token, body: { data } })
      expect(made.status).to.equal(201)
      expect((made.body as { data: object }).data).to.deep.include(data)
      const wrong = { ...data, color: 'red' }
      const refused = await app.request('POST', '/api/pages', { token, body: { data: wrong } })
      expect(refused.status).to.equal(400)
    })

    it('are shown by the builder with their type and their name', async () => {
      const path = '/api/content-type-builder/content-types/api::page.page'
      const { body } = await app.request('GET', path, { token: app.token })
      expect(body)
        .to.have.nested.property('data.schema.attributes.color')
        .that.deep.equals({
          type: 'string',
          customField: 'plugin::color-picker.color',
          regex: '^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$',
          options: { format: 'hex' },
        })
    })
  })
})
