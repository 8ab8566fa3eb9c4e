import { expect } from 'chai'
import { builtIn, typeOf } from '../../../../engine/schema/registry.js'
import { attributeOf, define, problemsOf } from '../define.js'

const extension = (attributes: object) => ({
  kind: 'content-type' as const,
  uid: builtIn.user,
  source: 'user.json',
  definition: { collectionName: 'up_users', attributes },
})

const shown = (uid: string, registry = define()) =>
  [...typeOf(registry, uid).attributes.values()]
    .filter((attribute) => !attribute.private && attribute.type !== 'password')
    .map(({ name }) => name)

describe('built-in types', () => {
  it('exist in every registry, without endpoints of their own', () => {
    const registry = define()
    const types = [...registry.contentTypes.values()]
    expect(types.map(({ uid, collectionName }) => [uid, collectionName])).to.deep.equal([
      [builtIn.user, 'users'],
      [builtIn.role, 'roles'],
      [builtIn.file, 'upload_files'],
      [builtIn.locale, 'locales'],
      [builtIn.adminUser, 'admin_users'],
    ])
    expect(
      types.every(
        ({ origin, draftAndPublish, localized }) =>
          origin === 'built-in' && !draftAndPublish && !localized,
      ),
    ).to.be.true
    expect(registry.byApiName.size).to.equal(0)
  })

  it('show the attributes that Strapi shows', () => {
    expect(shown(builtIn.user)).to.deep.equal([
      'username',
      'email',
      'provider',
      'confirmed',
      'blocked',
      'role',
    ])
    expect(shown(builtIn.role)).to.deep.equal(['name', 'description', 'type', 'users'])
    expect(shown(builtIn.file).join(' ')).to.equal(
      'name alternativeText caption focalPoint width height formats hash ext mime size url previewUrl provider provider_metadata',
    )
    expect(shown(builtIn.locale)).to.deep.equal(['name', 'code'])
    expect(shown(builtIn.adminUser)).to.deep.equal(['firstname', 'lastname', 'username'])
  })

  it('omit the attribute related of files, even if a project defines it', () => {
    const related = { type: 'relation', relation: 'morphToMany', configurable: false }
    const attributes = { related, credit: { type: 'string' } }
    const file = { ...extension(attributes), uid: builtIn.file }
    expect(shown(builtIn.file, define(file)).slice(-2)).to.deep.equal([
      ...['provider_metadata', 'credit'],
    ])
  })

  it('accept more attributes for users', () => {
    const registry = define(
      extension({ username: { type: 'string', maxLength: 5 }, phone: { type: 'string' } }),
    )
    expect(shown(builtIn.user, registry)).to.deep.equal([
      'username',
      'email',
      'provider',
      'confirmed',
      'blocked',
      'role',
      'phone',
    ])
    expect(typeOf(registry, builtIn.user).collectionName).to.equal('users')
    expect(attributeOf(registry, 'username', builtIn.user))
      .to.include({ unique: true, minLength: 3 })
      .and.not.have.property('maxLength')
  })

  it('allow hiding attributes of users, but not showing private ones', () => {
    const registry = define(
      extension({
        email: { type: 'email', private: true, searchable: false },
        password: { type: 'password', private: false },
        resetPasswordToken: { type: 'string', private: false },
      }),
    )
    expect(attributeOf(registry, 'email', builtIn.user)).to.include({
      ...{ private: true, searchable: false, required: true, unique: true },
    })
    for (const name of ['password', 'resetPasswordToken', 'confirmationToken'])
      expect(attributeOf(registry, name, builtIn.user)).to.include({ private: true })
    expect(problemsOf(extension({ email: { type: 'email', private: 'yes' } }))).to.deep.equal([
      'warned user.json: attributes.email.private: should be true or false; Quire uses true',
    ])
  })

  it('keep the types of their own attributes', () => {
    expect(problemsOf(extension({ email: { type: 'string' } }))).to.deep.equal([
      'warned user.json: attributes.email.type: the service needs this attribute to be "email"; its type is unchanged',
    ])
  })

  it('accept more attributes for files', () => {
    const file = { ...extension({ credit: { type: 'string' } }), uid: builtIn.file }
    expect(problemsOf(file)).to.deep.equal([])
    expect(attributeOf(define(file), 'credit', builtIn.file).type).to.equal('string')
  })
})
