/**
 * `npm run services`: installs the real services that some tests use into a cache folder; with arguments, only the
 * named ones. Prints `NAME<tab>PATH` for each available service on standard output, and reports the others on standard
 * error.
 */
import { cacheFolder } from './services/cache-folder.js'
import { services } from './services/service-list.js'

const folder = cacheFolder(process.env)
const named = process.argv.slice(2)
const requested = services.filter(({ name }) => named.length === 0 || named.includes(name))
for (const { name, what, get } of requested) {
  try {
    console.log(`${name}\t${await get(`${folder}/${name}`)}`)
  } catch (error) {
    // If an installer failed, only show the last line of its output.
    const lines = String(error).trim().split('\n')
    console.error(`${name}: not here (${what}): ${lines.at(-1)}`)
  }
}
