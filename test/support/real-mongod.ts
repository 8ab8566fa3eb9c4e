import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'

/**
 * Returns the path of a real `mongod`. Returns undefined unless `npm run services -- mongod` has installed it. Call it
 * in a hook that skips the tests otherwise: `(await realMongod()) ?? this.skip()`.
 */
export const realMongod = (): Promise<string | undefined> =>
  findFile(`${cacheFolder(process.env)}/mongod`, 'bin/mongod')
