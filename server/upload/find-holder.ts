import type { Providers, StorageProvider, StoredContent } from './storage-provider.js'

/** How long a provider alone is waited for, in ms; then the next is asked too. */
const patienceMs = 250

/**
 * The provider that has content of a name, the chosen one first: a library may be on its way from one to another. One
 * that does not answer soon does not keep the others from being asked. Undefined where none has it; throws what went
 * wrong where it is in none that answers and one does not.
 */
export function findHolder(
  { all }: Providers,
  name: string,
): Promise<Readonly<{ provider: StorageProvider; found: StoredContent }> | undefined> {
  return new Promise((resolve, reject) => {
    let asked = 0
    let answered = 0
    let failure: Error | undefined
    let patience: NodeJS.Timeout | undefined
    const end = (settle: () => void) => {
      clearTimeout(patience)
      asked = all.length
      settle()
    }
    const askNext = () => {
      const provider = all[asked]
      if (provider === undefined) return
      asked += 1
      clearTimeout(patience)
      patience = setTimeout(askNext, patienceMs)
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
      if (answered < all.length) askNext()
      else {
        const reason = failure
        end(() => (reason === undefined ? resolve(undefined) : reject(reason)))
      }
    }
    askNext()
  })
}
