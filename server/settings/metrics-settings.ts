import { flag, integer, line, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for metrics. */
export const metricsSettings = {
  'metrics.enabled': flag(
    false,
    'Whether `GET /metrics` serves metrics for Prometheus (docs/metrics.md)',
  ),
  'metrics.port': integer(
    0,
    0,
    'Separate port for `/metrics`, which the port of the API does not serve then; 0 = the port of the API',
    undefined,
    65_535,
  ),
  'metrics.host': line(
    '',
    'Address that `metrics.port` listens on; default: that of the API (`HOST`)',
    'an address or a name such as `127.0.0.1` or `localhost`',
    /^[\w.:-]*$/,
  ),
  'metrics.token': {
    ...line(
      '',
      'Token that `/metrics` requires on the port of the API, as `Authorization: Bearer`; empty = none',
      'a text of at least 16 characters without spaces',
      /^$|^[\x21-\x7e]{16,}$/,
    ),
    secret: true,
  },
} satisfies Record<string, Setting>
