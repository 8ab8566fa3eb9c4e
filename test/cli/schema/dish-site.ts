const named = (singularName: string, pluralName: string) => ({
  info: { singularName, pluralName, displayName: singularName },
})
const i18n = { pluginOptions: { i18n: { localized: true } } }
const relation = (kind: string, name: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${name}.${name}` },
  ...more,
})

/** Features that a definition turns on. */
export type Turned = Readonly<{ drafts?: boolean; locales?: boolean }>

/** A restaurant: dishes with every kind of attribute, and a single type and other types that refer to dishes. */
export function dishSchema({ drafts = false, locales = false }: Turned, more: object = {}) {
  const turned = { options: { draftAndPublish: drafts }, ...(locales ? i18n : {}) }
  return {
    'content-types/dish.json': {
      ...{ kind: 'collectionType', ...named('dish', 'dishes'), ...turned },
      attributes: {
        name: { type: 'string', required: true, ...i18n },
        slug: { type: 'uid', targetField: 'name' },
        code: { type: 'string', unique: true },
        price: { type: 'decimal' },
        stock: { type: 'biginteger' },
        facts: { type: 'json' },
        photo: { type: 'media' },
        seo: { type: 'component', component: 'shared.seo' },
        parts: { type: 'dynamiczone', components: ['shared.seo'] },
        category: relation('manyToOne', 'category', { inversedBy: 'dishes' }),
        pairings: relation('manyToMany', 'dish'),
        chef: relation('oneToOne', 'chef', { inversedBy: 'dish' }),
        ...more,
      },
    },
    'content-types/category.json': {
      ...{ kind: 'collectionType', ...named('category', 'categories') },
      attributes: {
        name: { type: 'string' },
        dishes: relation('oneToMany', 'dish', { mappedBy: 'category' }),
        favourite: relation('manyToOne', 'dish'),
      },
    },
    'content-types/chef.json': {
      ...{ kind: 'collectionType', ...named('chef', 'chefs') },
      options: { draftAndPublish: true },
      attributes: {
        name: { type: 'string' },
        dish: relation('oneToOne', 'dish', { mappedBy: 'chef' }),
      },
    },
    'content-types/card.json': {
      ...{ kind: 'singleType', ...named('card', 'cards'), ...turned },
      attributes: { title: { type: 'string', ...i18n }, dishes: relation('manyToMany', 'dish') },
    },
    'components/shared/seo.json': {
      info: { displayName: 'Seo' },
      attributes: {
        title: { type: 'string' },
        key: { type: 'string', unique: true },
        image: { type: 'media' },
        about: relation('oneToOne', 'category'),
      },
    },
  }
}
