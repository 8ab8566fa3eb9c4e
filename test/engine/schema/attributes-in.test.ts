import { expect } from 'chai'
import { referencePaths } from '../../../engine/write/plan/plan-removal.js'
import { attributesIn } from '../../../engine/schema/attributes-in.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { component, contentType, define } from './define.js'

const link = component('shared.link', {
  label: { type: 'string' },
  icon: { type: 'media', multiple: false },
})
const box = component('shared.box', {
  links: { type: 'component', component: 'shared.link', repeatable: true, storedAs: 'links_2' },
})
const thing = contentType({
  box: { type: 'component', component: 'shared.box' },
  title: { type: 'string' },
  zone: { type: 'dynamiczone', components: ['shared.box', 'shared.link'] },
  next: {
    type: 'relation',
    relation: 'oneToOne',
    target: 'api::thing.thing',
    inversedBy: 'former',
  },
  former: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing', mappedBy: 'next' },
})
const registry = define(link, box, thing)
const type = typeOf(registry, 'api::thing.thing')

const paths = (components: typeof registry.components) =>
  [...attributesIn(type, { components })].map(({ segments, attribute }) =>
    [
      ...segments.map(({ field, isList, component }) =>
        [field, isList ? '[]' : '', component === undefined ? '' : `(${component})`].join(''),
      ),
      attribute.name,
    ].join(' '),
  )

describe('attributes of a structure', () => {
  it('are found at any depth in the order of the definition, components before their contents', () => {
    expect(paths(registry.components)).to.deep.equal([
      ...['box', 'box links', 'box links_2[] label', 'box links_2[] icon', 'title', 'zone'],
      ...['zone[](shared.box) links', 'zone[](shared.box) links_2[] label'],
      ...['zone[](shared.box) links_2[] icon', 'zone[](shared.link) label'],
      ...['zone[](shared.link) icon', 'next', 'former'],
    ])
  })

  it('are not found in a missing component', () => {
    const components = new Map([...registry.components].filter(([uid]) => uid !== 'shared.link'))
    expect(paths(components)).to.deep.equal([
      ...['box', 'box links', 'title', 'zone', 'zone[](shared.box) links', 'next', 'former'],
    ])
  })

  it('are reference paths if they store references, but not on inverse sides', () => {
    const shown = referencePaths(type, registry).map(({ segments, field, many, target }) => [
      [...segments.map((segment) => segment.field), field].join('.'),
      ...[many, target],
    ])
    const file = 'plugin::upload.file'
    expect(shown).to.deep.equal([
      ...[
        ['box.links_2.icon', false, file],
        ['zone.links_2.icon', false, file],
      ],
      ...[
        ['zone.icon', false, file],
        ['next', false, 'api::thing.thing'],
      ],
    ])
  })
})
