import { isIssuerName, providerNames, type ProviderName } from '../../settings/provider-settings.js'
import type { Settings } from '../../settings/settings.js'
import type { ProviderRow, ProviderTable } from './provider-table.js'

/** A configured provider: its row of `providerTable` and its settings. */
export type Provider = ReturnType<typeof readProvider>

/** Returns the configured providers by name. */
export const readProviders = (
  settings: Settings,
  table: ProviderTable,
): ReadonlyMap<string, Provider> =>
  new Map(
    providerNames
      .filter((name) => settings[`auth.providers.${name}.clientId`] !== '')
      .map((name) => [name, readProvider(name, settings, table[name])]),
  )

function readProvider(name: ProviderName, settings: Settings, row: ProviderRow) {
  const prefix = `auth.providers.${name}` as const
  const scope = settings[`${prefix}.scope`]
  const given = isIssuerName(name) ? settings[`auth.providers.${name}.issuer`] : ''
  const usual = row.protocol.kind === 'openid-connect' ? row.protocol.issuer : undefined
  return {
    name,
    row,
    clientId: settings[`${prefix}.clientId`],
    clientSecret: settings[`${prefix}.clientSecret`],
    redirects: settings[`${prefix}.redirect`],
    scope: (scope.length === 0 ? row.scope : scope).join(' '),
    /** Empty if the provider does not use OpenID Connect. */
    issuer: given === '' ? (usual ?? '') : given,
    trustEmail: settings[`${prefix}.trustEmail`],
  }
}
