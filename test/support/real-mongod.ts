import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'

/**
 * The path of MongoDB's own server; undefined where `npm run services -- mongod` has not brought it. Call it in a
 * hook, and skip what needs it: `(await realMongod()) ?? this.skip()`.
 */
export const realMongod = (): Promise<string | undefined> =>
  findFile(`${cacheFolder(process.env)}/mongod`, 'bin/mongod')
