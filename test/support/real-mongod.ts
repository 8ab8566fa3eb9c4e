import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'

/** Path of the `mongod` of `npm run services -- mongod`. In hooks: `(await realMongod()) ?? this.skip()`. */
export const realMongod = (): Promise<string | undefined> =>
  findFile(`${cacheFolder(process.env)}/mongod`, 'bin/mongod')
