/**
 * `npm run services`: gets the real services that some tests ask for into a cache folder, and says what is not to
 * be had. The suite itself needs none of them.
 *
 * `npm run services -- mongod` gets what is named alone. On standard output a line of each, `NAME<tab>PATH`, of those that are there; on standard error the others.
 */
import { cacheFolder } from './services/cache-folder.js'
import { services } from './services/service-list.js'

const folder = cacheFolder(process.env)
const named = process.argv.slice(2)
const asked = services.filter(({ name }) => named.length === 0 || named.includes(name))
for (const { name, what, get } of asked) {
  try {
    console.log(`${name}\t${await get(`${folder}/${name}`)}`)
  } catch (error) {
    // Of a program that failed, the last line of what it complained of.
    const lines = String(error).trim().split('\n')
    console.error(`${name}: not here (${what}): ${lines.at(-1)}`)
  }
}
