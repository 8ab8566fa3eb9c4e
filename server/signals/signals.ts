/**
 * How instances over one database learn of each other's changes (docs/database.md, "Several instances"). Types only.
 */

/** A possible change in a collection. */
export type Change = Readonly<{
  /** `_id` of the document; undefined = any, or all of them. */
  id?: unknown
  /** Stored paths that an update has changed; undefined = all of them. */
  fields?: readonly string[]
}>

export type Freshness = Readonly<{
  /**
   * Returns undefined if the cached credentials of this process reflect the database's state less than 250 ms ago.
   * Otherwise returns a promise that resolves when the credentials reflect the state after the call. Rejects with
   * `unavailable` if the database does not confirm that in time.
   */
  confirm: () => Promise<void> | undefined
}>

export type Signals = Freshness &
  Readonly<{
    /**
     * Calls `changed` as soon as something in a collection was written, by any process.
     * @param keeps `credentials`: cached values are used only while they are confirmed; `changed` discards them, and is
     * called as often as that requires. `others`: the follower also polls once a second
     */
    follow: (
      collection: string,
      keeps: 'credentials' | 'others',
      changed: (change: Change) => void,
    ) => void
    /**
     * Returns how well this process receives the changes of other processes; absent if there can be no other process.
     */
    figures: () => Readonly<{
      /** Whether changes arrive by a change stream. */
      isListening?: boolean
      /** Round trip of the latest pulse through the stream, in milliseconds. */
      pulseMs?: number | undefined
      /** Age of the last confirmation of cached credentials, in milliseconds. */
      confirmedAgoMs?: number
      /** Time in milliseconds since all acknowledged writes had last certainly arrived through a change stream. */
      heardAgoMs?: number
    }>
  }>

/** Signals of the only process over a database, which knows its own writes. */
export const noSignals: Signals = Object.freeze({
  confirm: () => undefined,
  follow: () => undefined,
  figures: () => ({}),
})
