import path from 'node:path'
import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { lineOf } from '../../../engine/schema/schema-error.js'
import type { CustomFields } from '../../../server/content-types/custom-fields.js'
import { readSchemaFiles } from '../../../server/content-types/schema-files.js'
import { loadConfig } from '../../../server/settings/config.js'
import type { TestApp } from '../../support/test-app.js'
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

  it('are stored as the type of a known plugin, or else as any JSON value', async () => {
    const { types, warnings } = await read()
    expect(types).to.deep.equal(['string', 'json', 'richtext', 'json', 'json'])
    expect(warnings).to.deep.equal(
      ['place.customField: the type of "plugin::maps.place" is unknown']
        .concat('rating.customField: the type of "global::rating" is unknown')
        .map(
          (start) =>
            `${file()}: attributes.${start}, so it can contain any JSON value. Set its type in schema.customFields`,
        ),
    )
  })

  it('are reported once if unknown, however many attributes use them', async () => {
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
      '/content-types/page.json: attributes.a.customField: the type of "plugin::maps.place" is unknown, so it can contain any JSON value, also in 2 other attributes. Set its type in schema.customFields',
    ])
  })

  it('have the type set in schema.customFields', async () => {
    const customFields = { 'plugin::maps.place': 'string', 'global::rating': 'integer' }
    const { types, warnings } = await read(customFields)
    expect(types).to.deep.equal(['string', 'json', 'richtext', 'string', 'integer'])
    expect(warnings).to.deep.equal([])
  })

  it('can be set as an object or as pairs', () => {
    for (const SCHEMA_CUSTOM_FIELDS of [
      'plugin::maps.place=json, global::rating=integer',
      ' {"plugin::maps.place": "json", "global::rating": "integer"}',
    ]) {
      const { settings } = loadConfig({ SCHEMA_CUSTOM_FIELDS }, folder)
      expect(settings['schema.customFields']).to.deep.equal({
        'plugin::maps.place': 'json',
        'global::rating': 'integer',
      })
    }
    expect(() => loadConfig({ SCHEMA_CUSTOM_FIELDS: '{"global::rating"' }, folder)).to.throw(
      /SCHEMA_CUSTOM_FIELDS must be an object that gives each name one of /,
    )
    expect(() => loadConfig({ SCHEMA_CUSTOM_FIELDS: 'plugin::maps.place=map' }, folder)).to.throw(
      /SCHEMA_CUSTOM_FIELDS must be an object that gives each name one of `string`, `text`, .*, not \{"plugin::maps.place":"map"\}/,
    )
  })

  describe('with types stated by the project', () => {
    const info = page.info
    const attributes = {
      amount: custom('plugin::money.amount', { min: 1 }),
      note: custom('plugin::money.note'),
      stars: custom('plugin::stars.stars'),
      shade: custom('global::shade'),
      code: custom('plugin::my-codes.code'),
      zone: custom('plugin::maps.zone'),
    }
    const project = {
      'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } },
      'src/api/page/content-types/page/schema.json': { info, attributes },
      'types/generated/contentTypes.d.ts': `import type { Schema, Struct } from '@strapi/strapi';

export interface ApiPagePage extends Struct.CollectionTypeSchema {
  attributes: {
    amount: Schema.Attribute.Decimal &
      Schema.Attribute.CustomField<'plugin::money.amount'> &
      Schema.Attribute.SetMinMax<{ min: 1 }, number>;
    title: Schema.Attribute.String & Schema.Attribute.Required;
    zone: Schema.Attribute.Odd & Schema.Attribute.CustomField<'plugin::maps.zone'>;
  };
}

declare module '@strapi/strapi' {
  export module Public {
    export interface ContentTypeSchemas {
      'api::page.page': ApiPagePage;
    }
  }
}
`,
      'types/generated/components.d.ts': `import type { Schema, Struct } from '@strapi/strapi';
export interface SharedNote extends Struct.ComponentSchema {
  attributes: {
    note: Schema.Attribute.CustomField<'plugin::money.note', { rich: true }> & Schema.Attribute.RichText;
  };
}
`,
      'src/plugins/stars/package.json': { strapi: { name: 'stars', kind: 'plugin' } },
      'src/plugins/stars/server/register.js': `module.exports = ({ strapi }) => {
  strapi.customFields.register({ name: 'stars', plugin: 'stars', type: 'integer', inputSize: {} });
};
`,
      'src/plugins/codes/package.json': { strapi: { name: 'my-codes', kind: 'plugin' } },
      'src/plugins/codes/server/src/register.ts': `import { PLUGIN_ID } from './pluginId';
const fields = [{ name: 'code', plugin: PLUGIN_ID, type: 'uid' as const }];
export default function register({ strapi }: { strapi: Core.Strapi }) {
  strapi.customFields.register(fields);
  throw new Error('nobody runs this');
}
`,
      'src/index.ts': `export default {
  register({ strapi }) {
    strapi.customFields.register({ name: 'shade', type: 'string' });
  },
};
`,
    }

    const readTypes = async (files: object, more: object = {}) => {
      const root = await makeFolder({ ...project, ...files })
      const warnings: string[] = []
      try {
        const definitions = await readSchemaFiles(root, {
          ...more,
          warn: ({ path, message }) => void warnings.push(`${path}: ${message}`),
        })
        const type = createRegistryFrom(definitions, 1).contentTypes.get('api::page.page')
        return { types: [...(type?.attributes.values() ?? [])].map(({ type }) => type), warnings }
      } finally {
        await removeFolder(root)
      }
    }

    it('have the type generated for the project or registered by its code', async () => {
      const { types, warnings } = await readTypes({})
      expect(types).to.deep.equal(['decimal', 'richtext', 'integer', 'string', 'uid', 'json'])
      expect(warnings).to.deep.equal([
        'attributes.zone.customField: the type of "plugin::maps.zone" is unknown, so it can contain any JSON value. Set its type in schema.customFields',
      ])
    })

    it('prefer the setting to the project, and the project to the database', async () => {
      const before = [
        {
          ...{ kind: 'content-type', uid: 'api::page.page', source: '' },
          definition: {
            attributes: {
              zone: { type: 'text', customField: 'plugin::maps.zone' },
              amount: { type: 'string', customField: 'plugin::money.amount' },
              // When this definition was stored, the type of the custom field may have been unknown. Then it was stored
              // as `json`.
              code: { type: 'json', customField: 'plugin::my-codes.code' },
            },
          },
        },
      ] as const
      const customFields = { 'plugin::stars.stars': 'float' }
      const { types, warnings } = await readTypes({}, { before, customFields })
      expect(types).to.deep.equal(['decimal', 'richtext', 'float', 'string', 'uid', 'text'])
      expect(warnings).to.deep.equal([])
    })

    it('accept any JSON if the files of the project cannot be parsed', async () => {
      const files = Object.keys(project).filter((name) => /\.[jt]s$/.test(name))
      const { types } = await readTypes(Object.fromEntries(files.map((name) => [name, '] oops'])))
      expect(types).to.deep.equal(Array.from({ length: 6 }, () => 'json'))
    })

    it('can be filtered and sorted by, and reject wrong values', async () => {
      const root = await makeFolder(project)
      const app = await startApp({ schemaDir: root })
      try {
        const post = (data: object) =>
          app.request('POST', '/api/pages', { token: app.token, body: { data } })
        expect((await post({ amount: 2.5, stars: 3 })).status).to.equal(201)
        expect((await post({ amount: 10, stars: 1 })).status).to.equal(201)
        expect((await post({ stars: 'many' })).status).to.equal(400)
        const path = '/api/pages?filters[amount][$gt]=2&sort=stars&fields=stars'
        const { status, body } = await app.request('GET', path, { token: app.token })
        expect(status).to.equal(200)
        const { data } = body as { data: readonly { stars: number }[] }
        expect(data.map(({ stars }) => stars)).to.deep.equal([1, 3])
      } finally {
        await app.stop()
        await removeFolder(root)
      }
    })
  })

  describe('in a running service', () => {
    let app: TestApp
    before(async () => {
      app = await startApp({ schema: { 'content-types/page.json': page } })
    })
    after(() => app.stop())

    it('accept and return values of their type', async () => {
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

    it('are shown by the content type builder with their type and name', async () => {
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
