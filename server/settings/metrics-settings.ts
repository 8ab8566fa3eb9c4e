import { flag, integer, line, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for metrics. */
export const metricsSettings = {
  'metrics.enabled': flag(
    false,
    'Whether `GET /metrics` tells Prometheus what the service does (docs/metrics.md)',
  ),
  'metrics.port': integer(
    0,
    0,
    'A port of its own for `/metrics`, which is not on that of the API then; 0 = on that of the API',
    undefined,
    65_535,
  ),
  'metrics.host': line(
    '',
    'The address on which `metrics.port` listens; default: that of the API (`HOST`)',
    'an address or a name such as `127.0.0.1` or `localhost`',
    /^[\w.:-]*$/,
  ),
  'metrics.token': {
    ...line(
      '',
      'What `/metrics` asks for on the port of the API, as `Authorization: Bearer`; empty = nothing',
      'a text of at least 16 characters without spaces',
      /^$|^[\x21-\x7e]{16,}$/,
    ),
    secret: true,
  },
} satisfies Record<string, Setting>
