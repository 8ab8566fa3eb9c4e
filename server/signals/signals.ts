/**
 * Types of the signals by which instances that share a database notice each other's changes
 * (docs/database.md, "Several instances").
 */

/** A possible change in a collection. */
export type Change = Readonly<{
  /** `_id` of the changed document; undefined = any document, or all documents, may have changed. */
  id?: unknown
  /** Stored paths that an update has changed; undefined = all paths. */
  fields?: readonly string[]
}>

export type Freshness = Readonly<{
  /**
   * Returns undefined if the cached credentials of this process are known to have been up to date less than 250 ms ago.
   * Otherwise returns a promise that resolves when the credentials are confirmed to reflect all writes before the call.
   * It rejects with `unavailable` if the database does not confirm this in time.
   */
  confirm: () => Promise<void> | undefined
}>

export type Signals = Freshness &
  Readonly<{
    /**
     * Calls `changed` whenever any process has written to the collection.
     * @param keeps what the follower caches. `credentials`: it must call `confirm` before it uses them, and if there is
     *   no stream, `changed` is also called whenever they have to be discarded. `others`: anything else; the follower
     *   must also poll by itself, once a second
     */
    follow: (
      collection: string,
      keeps: 'credentials' | 'others',
      changed: (change: Change) => void,
    ) => void
    /**
     * Returns how well this process receives the changes of other processes. Members are absent if there can be no
     * other process.
     */
    figures: () => Readonly<{
      /** Whether changes arrive by a change stream. */
      isListening?: boolean
      /** Time in milliseconds that the latest pulse took through the change stream. */
      pulseMs?: number | undefined
      /** Milliseconds since cached credentials were last confirmed. */
      confirmedAgoMs?: number
      /**
       * Milliseconds since the sending of the latest pulse that has arrived. All writes that were acknowledged before
       * that pulse have arrived too.
       */
      lastHeartbeatAgoMs?: number
    }>
  }>

/**
 * Signals for a process that is the only one to use its database. It knows its own writes, so there is nothing to
 * follow.
 */
export const noSignals: Signals = Object.freeze({
  confirm: () => undefined,
  follow: () => undefined,
  figures: () => ({}),
})
