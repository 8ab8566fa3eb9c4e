import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'

/**
 * Returns the path of a real `mongod`, or undefined unless `npm run services -- mongod` has installed it. Call this in
 * a hook that otherwise skips the tests: `(await realMongod()) ?? this.skip()`.
 */
export const realMongod = (): Promise<string | undefined> =>
  findFile(`${cacheFolder(process.env)}/mongod`, 'bin/mongod')
