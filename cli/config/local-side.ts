import type { Registry } from '../../engine/schema/registry.js'
import { grantable } from '../../server/accounts/permission-actions.js'
import { applyConfiguration } from '../../server/configuration/apply-configuration.js'
import {
  findDifference,
  readConfiguration,
  type Configuration,
  type Difference,
} from '../../server/configuration/configuration.js'
import { refusalLines } from '../../server/configuration/refusal-lines.js'
import { checkFolder } from '../check/check-project.js'
import { openSubjects } from '../../server/lifecycle/open-configuration.js'
import type { Config } from '../../server/settings/config.js'
import { withContent } from '../with-database.js'
import { withServices } from '../with-services.js'

/** Access to the stored configuration, through a running service or in the database. */
export type Side = Readonly<{
  read: () => Promise<Configuration>
  /** Lists what the files would change. Throws an error with all problems of the files. */
  compare: (given: Configuration, prune: boolean) => Promise<Difference>
  /** Applies that difference. Throws if the difference has changed since. */
  apply: (given: Configuration, prune: boolean, digest: string) => Promise<Difference>
}>

/**
 * Reads and changes the configuration in the database that the service would use. Reading and comparing change nothing.
 * `apply` uses the services of a start, so it adopts definitions first, as a start does.
 */
export function localSide(config: Config): Side {
  /** @param others further definitions whose actions can be granted */
  const over = <T>(
    work: (subjects: ReturnType<typeof openSubjects>) => Promise<T>,
    others: readonly Registry[] = [],
  ): Promise<T> =>
    withContent('config', ({ db, registry }) => {
      const mode = config.settings['auth.mode']
      const actions = new Map([registry, ...others].flatMap((one) => [...grantable(one, mode)]))
      return work(
        openSubjects(
          db,
          () => registry,
          () => actions,
        ),
      )
    })
  return {
    read: () => over(readConfiguration),
    compare: async (given, prune) => {
      const { schemaDir } = config
      const folder = schemaDir === undefined ? undefined : await checkFolder(schemaDir, config)
      // Actions of definitions in this folder can be granted as soon as the definitions are adopted.
      const others = folder?.served === undefined ? [] : [folder.served.registry]
      return saying(() => over((subjects) => findDifference(subjects, given, prune), others))
    },
    apply: (given, prune, shown) =>
      saying(() =>
        withServices(
          ({ configuration }) =>
            applyConfiguration(configuration, { given, prune, shown, by: { actor: null } }),
          config,
        ),
      ),
  }
}

/** Throws an error with all problems, not only their number. */
async function saying<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const lines = refusalLines(cause)
    if (lines.length < 2) throw cause
    throw new Error(['The configuration cannot be applied:', ...lines].join('\n  - '), { cause })
  }
}
