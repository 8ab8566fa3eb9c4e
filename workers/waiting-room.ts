/** The client of a waiting request, as far as the bounds of waiting are concerned. */
export type Asker = Readonly<{
  /** Requests are limited by it; an IPv6 address stands for its network. */
  address: string
  /** Memory that the request holds while it waits. */
  bytes: number
}>

/** The waiting requests of all queues together. */
export type WaitingRoom = Readonly<{
  /** Returns why a request may not wait, if so. May evict requests of an address that has more than its half. */
  refuses: (asker: Asker) => string | undefined
  /** Whether half of the capacity is used, in number or in bytes. */
  isHalfTaken: () => boolean
  /** `sendAway` evicts the request of `key` for the given reason; the request then calls `leave`. */
  enter: (key: object, asker: Asker | undefined, sendAway: (why: string) => void) => void
  leave: (key: object) => void
  count: () => number
  bytes: () => number
}>

export type WaitingRoomOptions = Readonly<{
  maxQueued: number
  maxQueuedBytes: number
  /** For messages; default: requests. */
  named?: RoomNames
}>

/** Names the waiting requests, and the setting that limits their number, if there is one. */
export type RoomNames = Readonly<{ what: string; setting?: string }>

type Held = { places: number; bytes: number }
type Guest = Readonly<{
  address: string
  bytes: number
  sendAway: (why: string) => void
}>

/**
 * Bounds the waiting requests in number and in bytes. If several addresses wait, each may use half of both. An address
 * that has more, because it was the only one, loses its latest requests to new ones.
 */
export function createWaitingRoom({
  maxQueued,
  maxQueuedBytes,
  named: { what, setting } = { what: 'requests' },
}: WaitingRoomOptions): WaitingRoom {
  const named = setting === undefined ? '' : ` (${setting})`
  const ofAddress = `Too many ${what} of this address are waiting${named}`
  const guests = new Map<object, Guest>()
  const holders = new Map<string, Held>()
  const all: Held = { places: 0, bytes: 0 }
  const half: Held = {
    places: Math.max(1, Math.floor(maxQueued / 2)),
    bytes: Math.floor(maxQueuedBytes / 2),
  }
  const heldBy = (address: string): Held => holders.get(address) ?? { places: 0, bytes: 0 }
  const isFull = (bytes: number): string | undefined => {
    if (all.places >= maxQueued) return `Too many ${what} are waiting${named}`
    if (all.bytes + bytes > maxQueuedBytes)
      return 'The requests that are waiting are too large (http.maxBodyMemory)'
    return undefined
  }
  const exceedsHalf = ({ places, bytes }: Held): boolean =>
    places > half.places || bytes > half.bytes
  /** Evicts the latest request of an address that exceeds its half; returns false if there is none. */
  const takeBack = (): boolean => {
    for (const guest of [...guests.values()].reverse()) {
      if (!exceedsHalf(heldBy(guest.address))) continue
      guest.sendAway(ofAddress)
      return true
    }
    return false
  }
  return {
    refuses: ({ address, bytes }) => {
      const held = heldBy(address)
      const isAlone = held.places === all.places
      if (!isAlone && exceedsHalf({ places: held.places + 1, bytes: held.bytes + bytes }))
        return ofAddress
      let full = isFull(bytes)
      while (full !== undefined && !isAlone && takeBack()) full = isFull(bytes)
      return full
    },
    isHalfTaken: () => all.places >= half.places || all.bytes >= half.bytes,
    enter: (key, asker, sendAway) => {
      const { address = '', bytes = 0 } = asker ?? {}
      const held = heldBy(address)
      guests.set(key, { address, bytes, sendAway })
      holders.set(address, add(held, 1, bytes))
      add(all, 1, bytes)
    },
    leave: (key) => {
      const guest = guests.get(key)
      if (guest === undefined) return
      guests.delete(key)
      const held = add(heldBy(guest.address), -1, -guest.bytes)
      if (held.places === 0) holders.delete(guest.address)
      add(all, -1, -guest.bytes)
    },
    count: () => all.places,
    bytes: () => all.bytes,
  }
}

function add(held: Held, places: number, bytes: number): Held {
  held.places += places
  held.bytes += bytes
  return held
}
