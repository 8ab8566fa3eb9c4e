import type { Providers, StorageProvider, StoredContent } from './storage-provider.js'

/** How long to wait for a provider before also querying the next one. */
const waitMs = 250

/**
 * Finds the provider with content of this name. Queries the chosen provider, then the others, which may still have it
 * during a move. If none has it, throws the error of a provider that failed; if none failed, returns undefined.
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
