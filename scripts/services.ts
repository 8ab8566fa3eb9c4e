/**
 * `npm run services`: installs into a cache folder the real services that some tests use, and reports those that are
 * unavailable. The test suite also runs without them.
 *
 * `npm run services -- mongod` installs only the named services. For each available service, prints `NAME<tab>PATH` on
 * standard output. Reports unavailable services on standard error.
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
