/** Signals by which instances notice each other's changes (docs/database.md, "Several instances"). */

/** A possible change in a collection. */
export type Change = Readonly<{
  /** Undefined if any document, or all, may have changed. */
  id?: unknown
  /** Stored paths that an update has changed; undefined = all. */
  fields?: readonly string[]
}>

export type Freshness = Readonly<{
  /**
   * Resolves when the cached credentials reflect all writes before the call. Returns undefined if they were confirmed
   * less than 250 ms ago. Rejects with `unavailable` if a new confirmation takes too long.
   */
  confirm: () => Promise<void> | undefined
}>

export type Signals = Freshness &
  Readonly<{
    /**
     * Calls `changed` when any process has written to the collection.
     * @param keeps `credentials`: the follower must call `confirm` before each use of what it caches; without a stream,
     * `confirm` calls `changed`. `others`: the follower must also poll once a second
     */
    follow: (
      collection: string,
      keeps: 'credentials' | 'others',
      changed: (change: Change) => void,
    ) => void
    /** Returns how promptly this process learns of changes by others; empty if there can be no other process. */
    figures: () => Readonly<{
      isListening?: boolean
      /** Milliseconds that the latest pulse took. */
      pulseMs?: number | undefined
      /** Milliseconds since cached credentials were last confirmed. */
      confirmedAgoMs?: number
      /**
       * Milliseconds since the latest pulse that has arrived was sent. All writes acknowledged before it have arrived
       * too.
       */
      lastHeartbeatAgoMs?: number
    }>
  }>

/** Signals for the only process that uses its database, with nothing to follow. */
export const noSignals: Signals = Object.freeze({
  confirm: () => undefined,
  follow: () => undefined,
  figures: () => ({}),
})
