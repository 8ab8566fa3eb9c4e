import type { Registry } from '../../../engine/schema/registry.js'
import { component, contentType, define } from '../schema/define.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})

/** Creates the shop anew at each call, because rules are cached per definition. */
export const createShop = (): Registry =>
  define(
    contentType(
      {
        name: { type: 'string', minLength: 2, maxLength: 5 },
        line: { type: 'string' },
        text: { type: 'text', regex: '^[a-z ]*$' },
        rich: { type: 'richtext', maxLength: 3 },
        mail: { type: 'email' },
        slug: { type: 'uid' },
        colour: { type: 'enumeration', enum: ['red', 'blue'], default: 'red' },
        secret: { type: 'password', minLength: 3 },
        count: { type: 'integer', min: 1, max: 10 },
        plain: { type: 'integer' },
        ratio: { type: 'float', min: -1.5, max: 1.5 },
        price: { type: 'decimal', min: 0.5, max: 99.5 },
        sum: { type: 'decimal' },
        big: { type: 'biginteger', min: '2', max: '9007199254740993' },
        huge: { type: 'biginteger' },
        flag: { type: 'boolean', default: true },
        day: { type: 'date' },
        at: { type: 'datetime' },
        clock: { type: 'time' },
        meta: { type: 'json', default: { a: [1] } },
        rows: { type: 'array' },
        story: { type: 'blocks' },
        hidden: { type: 'integer', private: true },
        code: { type: 'string', unique: true },
        maker: relation('manyToOne', 'maker', { inversedBy: 'products' }),
        makers: relation('manyToMany', 'maker'),
        photo: { type: 'media' },
        photos: { type: 'media', multiple: true },
        part: { type: 'component', component: 'shop.part' },
        parts: { type: 'component', component: 'shop.part', repeatable: true, min: 2, max: 3 },
        zone: { type: 'dynamiczone', components: ['shop.part', 'shop.note'], max: 2 },
      },
      { pluginOptions: { i18n: { localized: true } } },
      'product',
    ),
    contentType(
      {
        name: { type: 'string', required: true },
        count: { type: 'integer', required: true, default: 3 },
        secret: { type: 'password', required: true },
        maker: relation('manyToOne', 'maker', { required: true }),
        photo: { type: 'media', required: true },
        part: { type: 'component', component: 'shop.part', required: true },
        parts: {
          type: 'component',
          component: 'shop.part',
          repeatable: true,
          required: true,
          min: 1,
        },
        zone: { type: 'dynamiczone', components: ['shop.note'], required: true, min: 1 },
        shared: { type: 'component', component: 'shop.note', repeatable: true },
      },
      { options: { draftAndPublish: true } },
      'strict',
    ),
    contentType(
      {
        name: { type: 'string' },
        products: relation('oneToMany', 'product', { mappedBy: 'maker' }),
      },
      {},
      'maker',
    ),
    component('shop.part', {
      label: { type: 'string', required: true },
      size: { type: 'integer', default: 1, max: 9 },
      key: { type: 'password' },
      cost: { type: 'integer', private: true },
      notes: { type: 'component', component: 'shop.note', repeatable: true },
      maker: relation('oneToOne', 'maker'),
    }),
    component('shop.note', { words: { type: 'text', required: true }, price: { type: 'decimal' } }),
  )
