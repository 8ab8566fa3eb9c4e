import { expect } from 'chai'
import { countComponents } from '../../../engine/write/change/store-structure.js'
import { mapComponents, membersIn } from '../../../engine/schema/members-in.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { attributeOf, component, contentType, define } from './define.js'

const registry = define(
  component('shared.link', { label: { type: 'string' } }),
  component('shared.box', {
    name: { type: 'string' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
  }),
  contentType({
    title: { type: 'string' },
    box: { type: 'component', component: 'shared.box' },
    zone: { type: 'dynamiczone', components: ['shared.box'] },
  }),
)
const type = typeOf(registry, 'api::thing.thing')
const named = (body: unknown) =>
  [...membersIn(type, body, registry)].map(({ attribute, value }) =>
    typeof value === 'string' ? `${attribute.name}: ${value}` : attribute.name,
  )

describe('members of a body', () => {
  const body = {
    box: { name: 'a', links: [{ label: 'b' }, { label: 'c' }] },
    title: 'd',
    nothing: 'e',
    zone: [
      { __component: 'shared.box', name: 'f', links: [{ label: 'g' }] },
      { __component: 'shared.link', label: 'h' },
      { name: 'i' },
      null,
    ],
  }

  it('are found at any depth in the order of the body, components before their members', () => {
    expect(named(body)).to.deep.equal([
      ...['box', 'name: a', 'links', 'label: b', 'label: c', 'title: d'],
      ...['zone', 'name: f', 'links', 'label: g'],
    ])
    expect(countComponents(type, body, registry)).to.equal(5)
  })

  it('keep their structure when mapComponents replaces each component', () => {
    const made = (name: string, value: unknown) => {
      const attribute = attributeOf(registry, name)
      if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return undefined
      return mapComponents(attribute, value, registry, (structure, item) => ({
        made: `${structure.uid} of ${String(item['name'])}`,
      }))
    }
    expect(made('box', { name: 'a' })).to.deep.equal({ made: 'shared.box of a' })
    expect(made('box', null)).to.equal(null)
    expect(made('zone', body.zone)).to.deep.equal([
      { __component: 'shared.box', made: 'shared.box of f' },
    ])
  })

  it('are skipped if their structure is wrong', () => {
    for (const wrong of [null, undefined, 1, 'text', [], [{ title: 'a' }]])
      expect(named(wrong)).to.deep.equal([])
    expect(
      named({ box: 1, zone: { __component: 'shared.box', name: 'a' }, title: null }),
    ).to.deep.equal(['box', 'zone', 'title'])
    expect(named({ box: [{ links: null }, 'a', { links: { label: 'b' } }] })).to.deep.equal([
      ...['box', 'links', 'links', 'label: b'],
    ])
    expect(countComponents(type, { box: null, zone: 'a' }, registry)).to.equal(0)
  })
})
