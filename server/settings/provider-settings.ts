import type { BooleanSetting, ListSetting, TextSetting } from './setting-kinds.js'
import { accessScope, clientText, flag, line, list, page, secureAddress } from './setting-kinds.js'

/** The providers that users may log in with; `server/accounts/providers/provider-table.ts` says what each is. */
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

/** Those that everybody may run, or of which everybody has a part with an address of its own. */
export const issuerNames = ['auth0', 'cas', 'cognito', 'keycloak', 'microsoft', 'oidc'] as const

type IssuerName = (typeof issuerNames)[number]

const fields = {
  clientId: line(
    '',
    'The id that the provider has given to the service; users may log in with it where this is set',
    clientText,
  ),
  clientSecret: {
    ...line('', 'The secret that goes with it; best in the environment', clientText),
    secret: true as const,
  },
  redirect: list(
    [],
    'Pages of front ends that finish a login; the first, or the one that `?callback=` names exactly',
    page,
  ),
  scope: list(
    [],
    "What the provider is asked for; default: the user's address and name",
    accessScope,
  ),
  trustEmail: flag(
    false,
    'Whether its addresses are believed although it does not say that they were verified: for a provider of your own',
  ),
}

const issuer = line(
  '',
  `Address of its OpenID Connect configuration, without \`/.well-known/…\`: of ${issuerNames.join(', ')}`,
  secureAddress,
)

type Row<N extends string, F extends string> = `auth.providers.${N}.${F}`

/** The rows of `settingsTable` about each provider: `auth.providers.google.clientId`. */
export type ProviderSettings = Readonly<
  Record<Row<ProviderName, 'clientId' | 'clientSecret'> | Row<IssuerName, 'issuer'>, TextSetting> &
    Record<Row<ProviderName, 'redirect' | 'scope'>, ListSetting> &
    Record<Row<ProviderName, 'trustEmail'>, BooleanSetting>
>

export const providerSettings = Object.fromEntries(
  providerNames.flatMap((name) =>
    Object.entries(isIssuerName(name) ? { ...fields, issuer } : fields).map(([field, setting]) => [
      `auth.providers.${name}.${field}`,
      setting,
    ]),
  ),
) as ProviderSettings

export function isIssuerName(name: ProviderName): name is IssuerName {
  return issuerNames.some((known) => known === name)
}
