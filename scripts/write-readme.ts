/** Brings the generated tables of README.md up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fillTables } from './fill-tables.js'

const path = new URL('../../README.md', import.meta.url)
writeFileSync(path, await fillTables(readFileSync(path, 'utf8')))
