/** Prints the tables of README that describe the configuration; README holds them between markers. */
import { settingsMarkdown, variablesMarkdown } from './settings-markdown.js'

console.log(`${variablesMarkdown()}\n${settingsMarkdown()}`)
