import { variables } from '../../server/config.js'

/** The environment variables that are no settings, as a table of Markdown. */
export const formatVariables = (): string =>
  [
    '| Variable | Meaning |',
    '| --- | --- |',
    ...Object.entries(variables).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  ].join('\n')
