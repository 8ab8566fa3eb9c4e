const i18n = { i18n: { localized: true } }

/** The definitions before and after an update. Both contain the attributes that all clients use. */
export const definitions = (kind: 'former' | 'newer'): Readonly<Record<string, object>> => ({
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    pluginOptions: i18n,
    attributes: { ...common, ...(kind === 'former' ? former : newer) },
  },
  'content-types/label.json': {
    kind: 'collectionType',
    info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
    attributes: {
      name: { type: 'string' },
      notes: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::note.note',
        mappedBy: 'label',
      },
    },
  },
  'components/block/text.json': {
    info: { displayName: 'Text' },
    attributes: { body: { type: 'text' } },
  },
  ...(kind === 'former' ? {} : added),
})

const common = {
  title: { type: 'string', pluginOptions: i18n },
  slug: { type: 'string', unique: true, pluginOptions: i18n },
  count: { type: 'integer' },
  label: {
    type: 'relation',
    relation: 'manyToOne',
    target: 'api::label.label',
    inversedBy: 'notes',
  },
}

const former = {
  sections: { type: 'dynamiczone', components: ['block.text'] },
  legacy: { type: 'string', pluginOptions: i18n },
  badge: { type: 'string', unique: true, pluginOptions: i18n },
  source: { type: 'relation', relation: 'manyToOne', target: 'api::label.label' },
}

const newer = {
  sections: { type: 'dynamiczone', components: ['block.text', 'block.quote'] },
  text: { type: 'string', pluginOptions: i18n },
  code: { type: 'string', unique: true, pluginOptions: i18n },
  rank: { type: 'integer' },
  seo: { type: 'component', component: 'shared.seo' },
  editor: {
    type: 'relation',
    relation: 'manyToOne',
    target: 'api::person.person',
    inversedBy: 'notes',
  },
}

const added = {
  'content-types/person.json': {
    kind: 'collectionType',
    info: { singularName: 'person', pluralName: 'people', displayName: 'Person' },
    attributes: {
      name: { type: 'string' },
      notes: {
        type: 'relation',
        relation: 'oneToMany',
        target: 'api::note.note',
        mappedBy: 'editor',
      },
    },
  },
  'components/block/quote.json': {
    info: { displayName: 'Quote' },
    attributes: {
      words: { type: 'text' },
      of: { type: 'relation', relation: 'oneToOne', target: 'api::label.label' },
    },
  },
  'components/shared/seo.json': {
    info: { displayName: 'Seo' },
    attributes: { metaTitle: { type: 'string' } },
  },
}
