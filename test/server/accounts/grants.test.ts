import { expect } from 'chai'
import { allows, fullGrant } from '../../../engine/schema/grant.js'
import { compileGrant } from '../../../server/accounts/grants.js'
import { compileTokenGrant } from '../../../server/accounts/tokens/token-grants.js'
import { smallRegistry } from './small-registry.js'

const article = 'api::article.article'

describe('compiled grants', () => {
  it('have the same key for the same actions, and other keys for other actions', () => {
    const one = compileGrant([`${article}.find`, `${article}.create`], 'by-action')
    const two = compileGrant([`${article}.create`, `${article}.find`], 'by-action')
    expect(one.key).to.equal(two.key)
    expect(compileGrant([`${article}.find`], 'by-action').key).not.to.equal(one.key)
    expect(compileGrant([`${article}.find`], 'with-find').key).not.to.equal(
      compileGrant([`${article}.find`], 'by-action').key,
    )
  })

  it('allow a role exactly its permissions', () => {
    const grant = compileGrant([`${article}.find`], 'by-action')
    expect([...(grant.actions as ReadonlySet<string>)]).to.deep.equal([`${article}.find`])
  })

  it('allow a token with `find` to read drafts too', () => {
    const grant = compileTokenGrant(
      { type: 'custom', permissions: [`${article}.find`, 'api::tag.tag.findOne'] },
      smallRegistry,
    )
    expect(allows(grant, article, 'find')).to.be.true
    expect(allows(grant, article, 'findDrafts')).to.be.true
    expect(allows(grant, article, 'create')).to.be.false
    expect(allows(grant, 'api::tag.tag', 'findDrafts')).to.be.false
  })

  it('allow a full-access token everything', () => {
    const token = { type: 'full-access', permissions: [] } as const
    expect(compileTokenGrant(token, smallRegistry)).to.equal(fullGrant)
  })

  it('allow a read-only token every `find` action and nothing else', () => {
    const grant = compileTokenGrant({ type: 'read-only', permissions: [] }, smallRegistry)
    for (const action of [
      `${article}.find`,
      `${article}.findOne`,
      `${article}.findDrafts`,
      'api::homepage.homepage.find',
      'plugin::users-permissions.user.find',
      'plugin::users-permissions.role.find',
      'plugin::upload.content-api.find',
    ])
      expect(grant.actions, action).to.include(action)
    for (const action of [
      `${article}.create`,
      `${article}.publish`,
      'plugin::users-permissions.user.me',
      'plugin::users-permissions.user.count',
      'plugin::i18n.locales.listLocales',
      'plugin::content-type-builder.content-types.getContentTypes',
      'admin::user.find',
    ])
      expect(grant.actions, action).not.to.include(action)
  })
})
