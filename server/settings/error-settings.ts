import { line, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for error reporting. */
export const errorSettings = {
  'errors.dsn': {
    ...line(
      '',
      'DSN of the Sentry project, or of a compatible service, that internal errors and crashes are reported to; empty = none',
      'a DSN such as `https://key@errors.example.org/1`',
      (text) =>
        text === '' ||
        (/^https?:\/\/\w+(:\w+)?@[^\s/@?#]+(\/[^\s?#]+)*\/\d+$/.test(text) && URL.canParse(text)),
    ),
    secret: true,
  },
  'errors.environment': line(
    '',
    'Environment name in these reports; empty = `production` or `development`, by `NODE_ENV`',
    'a name of at most 64 characters, without spaces and slashes',
    /^[^\s/]{0,64}$/,
  ),
} satisfies Record<string, Setting>
