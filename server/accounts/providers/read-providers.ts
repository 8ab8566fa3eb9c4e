import { isIssuerName, providerNames, type ProviderName } from '../../settings/provider-settings.js'
import type { Settings } from '../../settings/settings.js'
import type { ProviderRow, ProviderTable } from './provider-table.js'

/** A provider that users may log in with: what is known of all its kind, and what the settings say. */
export type Provider = ReturnType<typeof readProvider>

/** The providers that the settings name, by name. */
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
    /** Pages that may finish a login; the first is the usual one. */
    redirects: settings[`${prefix}.redirect`],
    scope: (scope.length === 0 ? row.scope : scope).join(' '),
    /** Of OpenID Connect; `''` otherwise. */
    issuer: given === '' ? (usual ?? '') : given,
    trustEmail: settings[`${prefix}.trustEmail`],
  }
}
