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

/** Access to the stored configuration, through a running service or directly in the database. */
export type Side = Readonly<{
  read: () => Promise<Configuration>
  /** Lists the changes that `apply` would make. Throws an error that lists all problems found in the files. */
  compare: (given: Configuration, prune: boolean) => Promise<Difference>
  /**
   * Applies the changes that `compare` listed, identified by `digest`. Throws if `compare` would list different changes
   * now.
   */
  apply: (given: Configuration, prune: boolean, digest: string) => Promise<Difference>
}>

/**
 * Reads and changes the configuration directly in the database. Only `apply` changes anything: like `quire start`, it
 * first adopts new definitions from SCHEMA_DIR.
 */
export function localSide(config: Config): Side {
  /** @param others definitions that are not stored yet, but whose actions may already be granted to roles */
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
      // Accept actions of definitions that exist only in this folder, because `apply` stores those definitions first.
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

/**
 * Runs a function. If it throws an error whose message only says how many problems there are, rethrows the error with a
 * list of these problems.
 */
async function saying<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const lines = refusalLines(cause)
    if (lines.length < 2) throw cause
    throw new Error(['The configuration cannot be applied:', ...lines].join('\n  - '), { cause })
  }
}
