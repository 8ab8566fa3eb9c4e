import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import type { Actions } from '../accounts/access-control.js'
import type { AccessFeature } from '../accounts/create-access.js'
import { roleSubject, roleWriter } from '../accounts/roles/role-subject.js'
import { tokenSubject, tokenWriter } from '../accounts/tokens/token-subject.js'
import type { Application } from '../configuration/apply-configuration.js'
import type { Subject } from '../configuration/subject.js'
import { localeSubject, localeWriter } from '../locales/locale-subject.js'
import type { Locales } from '../locales/locales.js'
import type { RemoveOptions } from '../locales/remove-locale.js'
import type { Services } from '../services.js'

/** Returns the parts of the configuration that admins edit, for reading. They are applied in the order of the list. */
export const openSubjects = (
  db: Db,
  registry: () => Registry,
  actions: () => Actions,
): readonly Subject[] => [
  localeSubject(db, registry),
  roleSubject(db, actions),
  tokenSubject(db, actions),
]

/** Returns the configuration that admins edit, for reading and writing. */
export function openConfiguration(
  services: Services,
  access: AccessFeature,
  locales: Locales,
  removal: RemoveOptions,
): Application {
  const { db, registry } = services
  return {
    db,
    singleProcess: removal.singleProcess,
    subjects: openSubjects(db, registry, access.actions),
    writers: {
      locales: localeWriter(services, locales, removal),
      roles: roleWriter(services, access),
      'api-tokens': tokenWriter(db, access.tokens),
    },
  }
}
