import { settingsTable, type Setting } from '../../server/settings.js'

/** The settings as a table of Markdown. */
export const formatSettings = (): string =>
  [
    '| Setting | Type | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(settingsTable).map(([name, setting]) => row(name, setting)),
  ].join('\n')

const row = (name: string, setting: Setting): string =>
  `| \`${name}\` | ${typeOf(setting)} | ${defaultOf(setting)} | ${setting.meaning} |`

function typeOf(setting: Setting): string {
  switch (setting.type) {
    case 'integer':
      return setting.unit === undefined ? 'integer' : `integer, ${setting.unit}`
    case 'choice':
      return setting.choices.map((choice) => `\`${choice}\``).join(', ')
    case 'boolean':
    case 'text':
    case 'list':
      return setting.type
  }
}

function defaultOf(setting: Setting): string {
  const text = setting.type === 'list' ? setting.default.join(',') : String(setting.default)
  return text === '' ? 'none' : `\`${text}\``
}
