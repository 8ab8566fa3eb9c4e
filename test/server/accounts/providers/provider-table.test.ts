import { expect } from 'chai'
import {
  providerTable,
  type ProviderRow,
} from '../../../../server/accounts/providers/provider-table.js'
import { readProfile } from '../../../../server/accounts/providers/read-profile.js'
import { tidyTokens } from '../../../../server/accounts/providers/token-answers.js'
import { issuerNames, providerNames } from '../../../../server/settings/provider-settings.js'

describe('provider table', () => {
  it('contains only https URLs, or takes the issuer from the settings', () => {
    for (const name of providerNames) {
      const { protocol }: ProviderRow = providerTable[name]
      const addresses =
        protocol.kind === 'oauth2'
          ? [protocol.authorizeUrl, protocol.tokenUrl, protocol.profileUrl, protocol.emailsUrl]
          : [protocol.issuer]
      const given = addresses.filter((address) => address !== undefined)
      for (const address of given) expect(new URL(address).protocol, name).to.equal('https:')
      if (given.length === 0) expect(issuerNames).to.include(name)
    }
  })

  const documented: readonly (readonly [keyof typeof providerTable, unknown, object])[] = [
    [
      'google',
      { sub: '1', email: 'Ana@Example.org', email_verified: true, name: 'Ana' },
      { email: 'ana@example.org', verified: true },
    ],
    [
      'discord',
      { id: '80351110224678912', username: 'nelly', email: 'nelly@example.org', verified: false },
      { email: 'nelly@example.org', verified: false, username: 'nelly' },
    ],
    [
      'facebook',
      { id: '1', name: 'Ana B', email: 'ana@example.org', verified: true },
      { email: 'ana@example.org', verified: false, username: 'Ana B' },
    ],
    [
      'microsoft',
      { email: 'ana@example.org', email_verified: true, preferred_username: 'ana@example.org' },
      { email: 'ana@example.org', verified: false, username: 'ana@example.org' },
    ],
    [
      'microsoft',
      { email: 'ana@example.org', xms_edov: '1' },
      { email: 'ana@example.org', verified: true },
    ],
    [
      'patreon',
      {
        data: {
          attributes: { email: 'ana@example.org', full_name: 'Ana', is_email_verified: true },
        },
      },
      { email: 'ana@example.org', verified: true, username: 'Ana' },
    ],
    [
      'cognito',
      { 'cognito:username': 'ana', email: 'ana@example.org', email_verified: 'true' },
      { email: 'ana@example.org', verified: true, username: 'ana' },
    ],
    [
      'cas',
      { id: 'ana', attributes: { email: 'ana@example.org', email_verified: true } },
      { email: 'ana@example.org', verified: true, username: 'ana' },
    ],
    ['vk', { user_id: 1, email: 'ana@example.org' }, { email: 'ana@example.org', verified: false }],
    ['github', { login: 'octo', email: 'ana@example.org' }, { verified: false, username: 'octo' }],
    ['oidc', null, { verified: false }],
    ['oidc', [], { verified: false }],
  ]
  for (const [name, answer, profile] of documented)
    it(`reads the profile from the ${name} response ${JSON.stringify(answer)}`, () => {
      expect(readProfile(providerTable[name], [answer])).to.deep.equal(profile)
    })

  it('does not combine an email address and its verification from two responses', () => {
    const answers = [{ email: 'one@example.org' }, { email_verified: true }]
    expect(readProfile(providerTable.oidc, answers)).to.deep.equal({
      email: 'one@example.org',
      verified: false,
    })
  })
})

describe('token responses of providers', () => {
  const url = 'https://login.example/token'
  const answering = (body: unknown, status = 200) =>
    tidyTokens(() => Promise.resolve(Response.json(body, { status })), url)
  const ask = async (body: unknown, address = url) => {
    const response = await answering(body)(address, {
      ...{ body: null, headers: {}, method: 'POST', redirect: 'manual' as const },
    })
    return [response.status, await response.json()]
  }

  it('are converted to the standard if they deviate from it', async () => {
    expect(await ask({ access_token: 'x', scope: ['a', 'b'] })).to.deep.equal([
      200,
      { access_token: 'x', token_type: 'bearer', scope: 'a b' },
    ])
    const error = { error: 'bad_verification_code' }
    expect(await ask(error)).to.deep.equal([400, error])
  })

  it('are left unchanged if they follow the standard or come from another endpoint', async () => {
    const usual = { access_token: 'x', token_type: 'Bearer', scope: 'a b' }
    expect(await ask(usual)).to.deep.equal([200, usual])
    expect(await ask({ error: 'x' }, 'https://login.example/user')).to.deep.equal([
      200,
      { error: 'x' },
    ])
    expect(await ask([])).to.deep.equal([200, []])
  })
})
