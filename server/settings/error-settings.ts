import type { Setting } from './setting-kinds.js'
import { environmentName, line, sentryAddress } from './setting-kinds.js'

/** The rows of `settingsTable` about where faults are reported to. */
export const errorSettings = {
  'errors.dsn': {
    ...line(
      '',
      'Where faults are reported to: the DSN of a project of Sentry, or of what speaks its protocol; empty = nowhere',
      sentryAddress,
    ),
    secret: true,
  },
  'errors.environment': line(
    '',
    'The environment that reports name; empty = `production` or `development`, by `NODE_ENV`',
    environmentName,
  ),
} satisfies Record<string, Setting>
