import { createRequire } from 'node:module'
import type { BSON } from 'mongodb'

/**
 * Use the BSON library of the driver without loading the driver: the engine starts 65 ms earlier and needs 18 MB less.
 */
const requireHere = createRequire(import.meta.url)
const requireFromDriver = createRequire(requireHere.resolve('mongodb'))

export const { serialize, deserialize } = requireFromDriver('bson') as Pick<
  typeof BSON,
  'serialize' | 'deserialize'
>
