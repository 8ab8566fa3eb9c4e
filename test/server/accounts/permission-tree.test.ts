import { expect } from 'chai'
import { actionsOf } from '../../../server/accounts/permission-actions.js'
import { readPermissions, showPermissions } from '../../../server/accounts/roles/permission-tree.js'
import { smallRegistry } from './small-registry.js'

describe('the permissions of a role', () => {
  const actions = actionsOf(smallRegistry)
  const off = { enabled: false, policy: '' }
  const on = { enabled: true, policy: '' }
  const refusing = { ignored: () => expect.fail('nothing is passed over'), all: false }

  it('are shown as a tree by group and controller', () => {
    const tree = showPermissions(actions, new Set(['api::tag.tag.find']), 'usual')
    expect(tree['api::tag']).to.deep.equal({
      controllers: { tag: { find: on, findOne: off, create: off, update: off, delete: off } },
    })
    expect(tree['api::homepage']).to.deep.equal({
      controllers: { homepage: { find: off, update: off, delete: off } },
    })
    expect(Object.keys(tree)).to.deep.equal([
      'api::article',
      'api::homepage',
      'api::tag',
      'plugin::upload',
      'plugin::i18n',
      'plugin::users-permissions',
    ])
  })

  it('name drafts and publishing where these are granted, and in the tree of everything', () => {
    const granted = new Set(['api::article.article.findDrafts'])
    const shown = showPermissions(actions, granted, 'usual')['api::article']?.controllers['article']
    expect(shown).to.have.property('findDrafts').that.deep.equals(on)
    expect(shown).not.to.have.property('publish')
    const all = showPermissions(actions, granted, 'all')['api::article']?.controllers['article']
    expect(all).to.have.property('publish').that.deep.equals(off)
  })

  it('are read back from what was shown', () => {
    const granted = ['api::article.article.publish', 'plugin::users-permissions.user.me']
    const tree = showPermissions(actions, new Set(granted), 'usual')
    expect(readPermissions(tree, actions, refusing)).to.have.members(granted)
  })

  const nope = { 'api::nope': { controllers: { nope: { find: on, count: off } } } }
  const ofStrapi = { 'plugin::email': { controllers: { email: { send: on } } } }
  const passedOver = (tree: unknown, all: boolean) => {
    const names: string[] = []
    readPermissions(tree, actions, { ignored: (name) => names.push(name), all })
    return names
  }

  it('may name what Strapi has and is not here, which is passed over and told', () => {
    expect(passedOver(ofStrapi, false)).to.deep.equal(['permissions.plugin::email.email.send'])
  })

  it('may name anything where unknown keys are ignored, which is told', () => {
    expect(passedOver({ ...nope, ...ofStrapi }, true)).to.deep.equal([
      'permissions.api::nope.nope.find',
      'permissions.plugin::email.email.send',
    ])
  })

  const cases: readonly (readonly [what: string, tree: unknown, message: string])[] = [
    ['an action that is not known', nope, 'There is no action api::nope.nope.find'],
    ['no tree', 'all', 'permissions must be an object of objects'],
    ['a list', ['api::tag'], 'permissions must be an object of objects'],
    [
      'a group without controllers',
      { 'api::tag': {} },
      'permissions.api::tag.controllers must be an object',
    ],
    [
      'a word for a switch',
      { 'api::tag': { controllers: { tag: { find: 'yes' } } } },
      'The permission api::tag.tag.find must be',
    ],
    [
      'an unclear switch',
      { 'api::tag': { controllers: { tag: { find: { enabled: 'false' } } } } },
      'The permission api::tag.tag.find must be',
    ],
  ]
  for (const [what, tree, message] of cases) {
    it(`are refused as ${what}`, () => {
      expect(() => readPermissions(tree, actions, refusing)).to.throw(message)
    })
  }
})
