import type { Providers, StorageProvider, StoredContent } from './storage-provider.js'

/** Time in ms after which the next provider is queried too. */
const waitMs = 250

/**
 * Finds the provider that has content of a name. Tries the chosen provider first, then the others, because content is
 * in several providers during a move. If a provider is slow, the next one is queried too. Returns undefined if none has
 * the content. Throws a provider's error if no other provider has the content.
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
