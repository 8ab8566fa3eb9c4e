import type { Configuration, Difference } from '../../server/configuration/configuration.js'
import { dataOf, jsonOf, openAdminFetch, type AdminFetch, type Remote } from '../admin-client.js'
import type { Side } from './side.js'

/** A running service. */
export function remoteSide(remote: Remote): Side {
  let known: Promise<AdminFetch> | undefined
  const ask = async <T>(search = '', init?: RequestInit): Promise<T> => {
    const send = await (known ??= openAdminFetch(remote))
    return dataOf<T>(await send(`/admin/configuration${search}`, init))
  }
  const put = (given: Configuration, options: Readonly<Record<string, string>>) =>
    ask<Difference>(`?${new URLSearchParams(options).toString()}`, jsonOf('PUT', given))
  return {
    read: () => ask<Configuration>(),
    compare: (given, prune) => put(given, { dryRun: 'true', prune: String(prune) }),
    apply: (given, prune, digest) => put(given, { digest, prune: String(prune) }),
  }
}
