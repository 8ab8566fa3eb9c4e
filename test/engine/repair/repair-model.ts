import { component, contentType, i18n, relation } from '../write/model.js'

/** Types with every relation, component and shared attribute that an interrupted write can leave half done. */
export const repairModel = [
  component('shared.link', {
    to: relation('oneToOne', 'label'),
    mark: { type: 'string', unique: true },
  }),
  contentType(
    'post',
    {
      title: { type: 'string', pluginOptions: i18n },
      views: { type: 'integer' },
      code: { type: 'string', unique: true },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.link'] },
    },
    { drafts: true, localized: true },
  ),
  contentType(
    'album',
    {
      name: { type: 'string' },
      labels: relation('manyToMany', 'label', { inversedBy: 'albums' }),
      parts: relation('oneToMany', 'label', { inversedBy: 'whole' }),
      partner: relation('oneToOne', 'label', { inversedBy: 'owner' }),
      links: { type: 'component', component: 'shared.link', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.link'] },
    },
    { drafts: true },
  ),
  contentType(
    'label',
    {
      albums: relation('manyToMany', 'album', { mappedBy: 'labels' }),
      whole: relation('manyToOne', 'album', { mappedBy: 'parts' }),
      owner: relation('oneToOne', 'album', { mappedBy: 'partner' }),
    },
    { drafts: true },
  ),
]
