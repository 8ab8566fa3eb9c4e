import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import type { AccessControl, Action } from '../accounts/access-control.js'
import { roleSubject, roleWriter } from '../accounts/roles/role-subject.js'
import { tokenSubject, tokenWriter } from '../accounts/tokens/token-subject.js'
import { applyConfiguration, type Application } from '../configuration/apply-configuration.js'
import { readFiles } from '../configuration/configuration-files.js'
import { refusalLines } from '../configuration/refusal-lines.js'
import type { Subject } from '../configuration/subject.js'
import { localeSubject, localeWriter } from '../locales/locale-subject.js'
import type { Locales } from '../locales/locales.js'
import type { RemoveOptions } from '../locales/remove-locale.js'
import type { Config } from '../settings/config.js'
import type { Services } from './services.js'

/** What admins set, as it is read: in the order in which it is made. */
export const openSubjects = (
  db: Db,
  registry: () => Registry,
  actions: () => readonly Action[],
): readonly Subject[] => [
  localeSubject(db, registry),
  roleSubject(db, actions),
  tokenSubject(db, actions),
]

/** The same with what writes it. */
export function openConfiguration(
  services: Services,
  access: Pick<AccessControl, 'actions' | 'tokens' | 'rolesChanged' | 'userChanged'>,
  locales: Locales,
  removal: RemoveOptions,
): Application {
  const { db, registry } = services
  return {
    db,
    alone: removal.alone,
    subjects: openSubjects(db, registry, access.actions),
    writers: {
      locales: localeWriter(services, locales, removal),
      roles: roleWriter(services, access),
      'api-tokens': tokenWriter(db, access),
    },
  }
}

/**
 * Applies the files of `CONFIG_DIR` where `config.apply` says so, before anything is served.
 * @throws Error that says what is wrong with them
 */
export async function applyAtStart(
  { configDir, settings }: Config,
  { log }: Pick<Services, 'log'>,
  application: Application,
): Promise<void> {
  const choice = settings['config.apply']
  if (choice === 'off') return
  const given = await readFiles(configDir)
  const { changes, kept } = await applyConfiguration(application, {
    given,
    prune: choice === 'prune',
    by: { actor: null },
    made: ({ subject, id, kind }) =>
      log.info(
        { event: 'configuration', subject, id, kind },
        'A file of the configuration changed it',
      ),
  }).catch((cause: unknown) => {
    const said = refusalLines(cause).join('\n  - ')
    throw new Error(`The configuration in ${configDir} cannot be applied:\n  - ${said}`, { cause })
  })
  log.info(
    { event: 'configuration', changes: changes.length, kept },
    changes.length === 0 ? 'The configuration is as its files say' : 'The configuration is applied',
  )
}
