/** The address and the memory of a waiting request, for the limits of a queue. */
export type QueueClient = Readonly<{
  /** For IPv6, the network of the address. Requests of an address are limited together. */
  address: string
  /** Memory that the request uses while it waits. */
  bytes: number
}>

/** Tracks how many requests wait, and how many more may. */
export type QueueCapacity = Readonly<{
  /** Returns the reason if a request may not wait. May evict requests of an address with over half of the capacity. */
  refuses: (client: QueueClient) => string | undefined
  /** Whether half of the capacity is used, in number or in bytes. */
  isHalfTaken: () => boolean
  enter: (waiting: Waiting) => void
  leave: (waiting: Waiting) => void
  count: () => number
  bytes: () => number
}>

export type QueueCapacityOptions = Readonly<{
  maxQueued: number
  maxQueuedBytes: number
  /** By default, `what` is `requests`, and no setting is named. */
  named?: CapacityNames
}>

/** Words for error messages: what the waiting requests are called, and which setting limits their number. */
export type CapacityNames = Readonly<{ what: string; setting?: string }>

type Held = { count: number; bytes: number }
/** `evict` must remove the request from its queue, reject it with `why`, and call `leave`. */
type Waiting = Readonly<{
  request: Readonly<{ client?: QueueClient | undefined }>
  evict: (why: string) => void
}>

/**
 * Limits the number and the bytes of waiting requests. An address may use more than half of the capacity until a
 * request of another address arrives and finds no room. Then the latest requests of the first address are evicted.
 */
export function createQueueCapacity({
  maxQueued,
  maxQueuedBytes,
  named: { what, setting } = { what: 'requests' },
}: QueueCapacityOptions): QueueCapacity {
  const named = setting === undefined ? '' : ` (${setting})`
  const ofAddress = `Too many ${what} of this address are waiting${named}`
  const requests = new Set<Waiting>()
  const byAddress = new Map<string, Held>()
  const all: Held = { count: 0, bytes: 0 }
  const half: Held = {
    count: Math.max(1, Math.floor(maxQueued / 2)),
    bytes: Math.floor(maxQueuedBytes / 2),
  }
  const heldBy = (address: string): Held => byAddress.get(address) ?? { count: 0, bytes: 0 }
  const isFull = (bytes: number): string | undefined => {
    if (all.count >= maxQueued) return `Too many ${what} are waiting${named}`
    if (all.bytes + bytes > maxQueuedBytes)
      return 'The requests that are waiting are too large (http.maxBodyMemory)'
    return undefined
  }
  const exceedsHalf = ({ count, bytes }: Held): boolean => count > half.count || bytes > half.bytes
  /** Evicts the latest request of an address that uses more than half of the capacity, if there is one. */
  const evictLatest = (): boolean => {
    const latest = [...requests].findLast((one) => exceedsHalf(heldBy(clientOf(one).address)))
    latest?.evict(ofAddress)
    return latest !== undefined
  }
  const count = (waiting: Waiting, places: 1 | -1): void => {
    const { address, bytes } = clientOf(waiting)
    const held = heldBy(address)
    byAddress.set(address, held)
    for (const sum of [held, all]) {
      sum.count += places
      sum.bytes += places * bytes
    }
    if (held.count === 0) byAddress.delete(address)
  }
  return {
    refuses: ({ address, bytes }) => {
      const held = heldBy(address)
      const isAlone = held.count === all.count
      if (!isAlone && exceedsHalf({ count: held.count + 1, bytes: held.bytes + bytes }))
        return ofAddress
      let full = isFull(bytes)
      while (full !== undefined && !isAlone && evictLatest()) full = isFull(bytes)
      return full
    },
    isHalfTaken: () => all.count >= half.count || all.bytes >= half.bytes,
    enter: (waiting) => {
      requests.add(waiting)
      count(waiting, 1)
    },
    leave: (waiting) => {
      if (requests.delete(waiting)) count(waiting, -1)
    },
    count: () => all.count,
    bytes: () => all.bytes,
  }
}

const clientOf = ({ request }: Waiting): QueueClient => request.client ?? { address: '', bytes: 0 }
