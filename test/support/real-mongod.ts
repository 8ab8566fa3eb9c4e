import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'

/**
 * Returns the path of the `mongod` that `npm run services -- mongod` has downloaded, if any. In hooks: `(await
 * realMongod()) ?? this.skip()`.
 */
export const realMongod = (): Promise<string | undefined> =>
  findFile(`${cacheFolder(process.env)}/mongod`, 'bin/mongod')
