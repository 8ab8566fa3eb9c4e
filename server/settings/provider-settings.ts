import { clientText, flag, isWebAddress, line, list } from './setting-kinds.js'
import { isSecureAddress } from './secure-address.js'

/** Login providers. `server/accounts/providers/provider-table.ts` describes each. */
export const providerNames = [
  'auth0',
  'cas',
  'cognito',
  'discord',
  'facebook',
  'github',
  'google',
  'keycloak',
  'linkedin',
  'microsoft',
  'oidc',
  'patreon',
  'twitch',
  'vk',
] as const

export type ProviderName = (typeof providerNames)[number]

/** Providers without a fixed issuer: self-hosted, or with an address for each customer. */
export const issuerNames = ['auth0', 'cas', 'cognito', 'keycloak', 'microsoft', 'oidc'] as const

type IssuerName = (typeof issuerNames)[number]

export const isIssuerName = (name: ProviderName): name is IssuerName =>
  issuerNames.some((known) => known === name)

const fields = {
  clientId: line(
    '',
    'Client id that the provider gave to this service. If it is set, users can log in with this provider',
    ...clientText,
  ),
  clientSecret: {
    ...line(
      '',
      'Client secret that the provider gave to this service; best set in the environment',
      ...clientText,
    ),
    secret: true as const,
  },
  redirect: list(
    [],
    'Pages of front ends that finish a login: `?callback=` selects one by its exact address, else it is the first',
    'an address such as `https://example.org/page`',
    (text) => text.length <= 1000 && text !== '' && isWebAddress(text),
  ),
  scope: list(
    [],
    "Scopes of a login; default: those for the user's e-mail address and name",
    'a scope of OAuth 2, such as `email`',
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
  ),
  trustEmail: flag(
    false,
    'Whether to trust its e-mail addresses even if they are not marked as verified. Only for a provider of your own',
  ),
}

const issuer = line(
  '',
  `Address of its OpenID Connect configuration, without \`/.well-known/…\`: for ${issuerNames.join(', ')}`,
  'an address such as `https://example.org/realm`, `http` on this machine alone',
  (text) => text === '' || (URL.canParse(text) && isSecureAddress(new URL(text))),
)

type Fields = typeof fields

/** Rows of `settingsTable` for each login provider, such as `auth.providers.google.clientId`. */
export type ProviderSettings = Readonly<
  { [F in keyof Fields as `auth.providers.${ProviderName}.${F}`]: Fields[F] } & {
    [N in IssuerName as `auth.providers.${N}.issuer`]: typeof issuer
  }
>

export const providerSettings = Object.fromEntries(
  providerNames.flatMap((name) =>
    Object.entries(isIssuerName(name) ? { ...fields, issuer } : fields).map(([field, setting]) => [
      `auth.providers.${name}.${field}`,
      setting,
    ]),
  ),
) as ProviderSettings
