import { expect } from 'chai'
import { actionsOf } from '../../../server/accounts/permission-actions.js'
import { readPermissions, showPermissions } from '../../../server/accounts/roles/permission-tree.js'
import { smallRegistry } from './small-registry.js'

describe('permission tree of a role', () => {
  const actions = actionsOf(smallRegistry)
  const off = { enabled: false, policy: '' }
  const on = { enabled: true, policy: '' }
  const strict = { ignored: () => expect.fail('no action is ignored'), all: false }

  it('groups the actions by content-type or plugin, and by controller', () => {
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

  it('contains draft and publish actions only if they are granted, or in the tree of all actions', () => {
    const granted = new Set(['api::article.article.findDrafts'])
    const shown = showPermissions(actions, granted, 'usual')['api::article']?.controllers['article']
    expect(shown).to.have.property('findDrafts').that.deep.equals(on)
    expect(shown).not.to.have.property('publish')
    const all = showPermissions(actions, granted, 'all')['api::article']?.controllers['article']
    expect(all).to.have.property('publish').that.deep.equals(off)
  })

  it('is read back to the same permissions', () => {
    const granted = ['api::article.article.publish', 'plugin::users-permissions.user.me']
    const tree = showPermissions(actions, new Set(granted), 'usual')
    expect(readPermissions(tree, actions, strict)).to.have.members(granted)
  })

  const nope = { 'api::nope': { controllers: { nope: { find: on, count: off } } } }
  const ofStrapi = { 'plugin::email': { controllers: { email: { send: on } } } }
  const ignoredIn = (tree: unknown, all: boolean) => {
    const names: string[] = []
    readPermissions(tree, actions, { ignored: (name) => names.push(name), all })
    return names
  }

  it('ignores and reports actions that only Strapi has', () => {
    expect(ignoredIn(ofStrapi, false)).to.deep.equal(['permissions.plugin::email.email.send'])
  })

  it('ignores and reports all unknown actions if unknown keys are ignored', () => {
    expect(ignoredIn({ ...nope, ...ofStrapi }, true)).to.deep.equal([
      'permissions.api::nope.nope.find',
      'permissions.plugin::email.email.send',
    ])
  })

  const cases: readonly (readonly [what: string, tree: unknown, message: string])[] = [
    ['an unknown action', nope, 'There is no action api::nope.nope.find'],
    ['a text instead of a tree', 'all', 'permissions must be an object of objects'],
    ['a list instead of a tree', ['api::tag'], 'permissions must be an object of objects'],
    [
      'a group without controllers',
      { 'api::tag': {} },
      'permissions.api::tag.controllers must be an object',
    ],
    [
      'a text instead of a boolean or an object',
      { 'api::tag': { controllers: { tag: { find: 'yes' } } } },
      'The permission api::tag.tag.find must be',
    ],
    [
      'a text as the value of enabled',
      { 'api::tag': { controllers: { tag: { find: { enabled: 'false' } } } } },
      'The permission api::tag.tag.find must be',
    ],
  ]
  for (const [what, tree, message] of cases) {
    it(`is rejected with ${what}`, () => {
      expect(() => readPermissions(tree, actions, strict)).to.throw(message)
    })
  }
})
