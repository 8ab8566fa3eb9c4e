import type { Providers, StorageProvider, StoredContent } from './storage-provider.js'

/** Time in ms to wait for a provider before the next one is queried as well. */
const waitMs = 250

/**
 * Finds the provider that stores content under a name. Queries the chosen provider first, then the others, because
 * content can be in several providers during a move. If a provider is slow, the next one is queried as well. Returns
 * undefined if no provider has the content. If a provider fails and no other one has the content, throws the provider's
 * error.
 */
export function findProviderOf(
  { all }: Providers,
  name: string,
): Promise<Readonly<{ provider: StorageProvider; found: StoredContent }> | undefined> {
  return new Promise((resolve, reject) => {
    let next = 0
    let answered = 0
    let failure: Error | undefined
    let timer: NodeJS.Timeout | undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      next = all.length
      settle()
    }
    const tryNext = () => {
      const provider = all[next]
      if (provider === undefined) return
      next += 1
      clearTimeout(timer)
      timer = setTimeout(tryNext, waitMs)
      provider.stat(name).then(
        (found) => (found === undefined ? miss() : end(() => resolve({ provider, found }))),
        (error: unknown) => {
          failure ??= error as Error
          miss()
        },
      )
    }
    const miss = () => {
      answered += 1
      if (answered < all.length) tryNext()
      else {
        const reason = failure
        end(() => (reason === undefined ? resolve(undefined) : reject(reason)))
      }
    }
    tryNext()
  })
}
