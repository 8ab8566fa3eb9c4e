import { objectOf } from '../../engine/values/is-object.js'
import { firstLocale } from '../../server/locales/locales.js'
import type { Notes } from './notes.js'
import type { Overview } from './export-overview.js'

/** Reports settings of Strapi that somebody must set in Quire's configuration. */
export function noteSettings({ settings }: Overview, notes: Notes): void {
  const advanced = objectOf(settings.get('plugin_users-permissions_advanced'))
  if (advanced.allow_register === false)
    notes.leftOut('closed registration: set auth.registration=closed')
  if (advanced.email_confirmation === true)
    notes.leftOut('confirmation of e-mail addresses: set email.url, and see docs/security.md')
  const role = advanced.default_role
  if (typeof role === 'string' && role !== 'authenticated')
    notes.leftOut('the role of new users, which is always "authenticated"', role)
  const providers = objectOf(settings.get('plugin_users-permissions_grant'))
  for (const [name, provider] of Object.entries(providers))
    if (name !== 'email' && objectOf(provider).enabled === true)
      notes.leftOut('logins with providers: set auth.providers.<name>', name.slice(0, 100))
}

/** Returns the code of the default locale: that of the export, or that of a new database if the export lacks it. */
export function defaultLocaleOf({ settings }: Pick<Overview, 'settings'>): string {
  const code = settings.get('plugin_i18n_default_locale')
  return typeof code === 'string' && /^[A-Za-z0-9-]{1,50}$/.test(code) ? code : firstLocale.code
}
