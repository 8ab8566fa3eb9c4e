import { isIssuerName, providerNames, type ProviderName } from './provider-settings.js'
import type { Settings } from './settings.js'

/** Returns a sentence for each missing or unsafe setting of a login provider. */
export const providerProblems = (settings: Settings): readonly string[] =>
  providerNames.flatMap((name) => problemsOf(name, settings))

function problemsOf(name: ProviderName, settings: Settings): readonly string[] {
  const prefix = `auth.providers.${name}` as const
  const given = {
    clientId: settings[`${prefix}.clientId`],
    clientSecret: settings[`${prefix}.clientSecret`],
    redirect: settings[`${prefix}.redirect`],
    // Microsoft has a default issuer, which accepts users of all organisations.
    ...(isIssuerName(name) &&
      name !== 'microsoft' && { issuer: settings[`auth.providers.${name}.issuer`] }),
  }
  const isEmpty = (value: string | readonly string[]): boolean => value.length === 0
  if (Object.values(given).every(isEmpty)) return []
  if (name === 'microsoft' && settings[`${prefix}.trustEmail`] && isForAnybody(settings))
    return [
      `${prefix}.trustEmail needs ${prefix}.issuer to be that of your organisation: other organisations can claim any e-mail address`,
    ]
  return Object.entries(given)
    .filter(([, value]) => isEmpty(value))
    .map(([field]) => `${prefix}.${field} is required for logins with ${name}`)
}

/** Whether Microsoft's issuer accepts users of all organisations, like the default issuer. */
const isForAnybody = (settings: Settings): boolean =>
  /^$|\/(common|organizations|consumers)\//i.test(settings['auth.providers.microsoft.issuer'])
