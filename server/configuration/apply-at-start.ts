import type { Logger } from 'pino'
import type { Config } from '../settings/config.js'
import { applyConfiguration, type Application } from './apply-configuration.js'
import { readFiles } from './configuration-files.js'
import { refusalLines } from './refusal-lines.js'

/**
 * Applies the files in `CONFIG_DIR` before the service serves requests, unless `config.apply` is `off`. Throws an Error
 * that names the problems.
 */
export async function applyAtStart(
  { configDir, settings }: Config,
  log: Logger,
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
        `A configuration file changed ${subject} ${id} (${kind})`,
      ),
  }).catch((cause: unknown) => {
    const reasons = refusalLines(cause).join('\n  - ')
    throw new Error(`The configuration in ${configDir} cannot be applied:\n  - ${reasons}`, {
      cause,
    })
  })
  log.info(
    { event: 'configuration', changes: changes.length, kept },
    changes.length === 0
      ? 'The configuration already matches its files'
      : 'The configuration files were applied',
  )
}
