/** How instances over one database hear of each other's changes (docs/database.md, "Several instances"). Types only. */

/** Something in a collection is perhaps another than before. */
export type Change = Readonly<{
  /** `_id` of the document; undefined: any, or all of them. */
  id?: unknown
  /** What an update has changed, in stored paths; undefined: all of it. */
  fields?: readonly string[]
}>

export type Freshness = Readonly<{
  /**
   * Undefined where everything that this process keeps of credentials is what the database said less than 250 ms ago;
   * else a promise, which resolves when it is what the database said since the call.
   * Rejects with `unavailable` where the database does not say it in time.
   */
  confirm: () => Promise<void> | undefined
}>

export type Signals = Freshness &
  Readonly<{
    /**
     * Calls `changed` as soon as something in a collection was written, by whichever process.
     * @param keeps `credentials`: what is kept of it is used while it is confirmed, and `changed`, which forgets it, is
     * called as often as that takes; `others`: whoever follows asks for it once a second as well
     */
    follow: (
      collection: string,
      keeps: 'credentials' | 'others',
      changed: (change: Change) => void,
    ) => void
    /** How well a process hears of the others; absent where there are none to hear of. */
    figures: () => Readonly<{
      /** Whether changes arrive by a change stream. */
      isListening?: boolean
      /** How long the latest pulse took to come back through the stream, in ms. */
      pulseMs?: number | undefined
      /** How long ago what is kept of credentials was confirmed, in ms. */
      confirmedAgoMs?: number
      /** How long ago everything had arrived by a change stream that was acknowledged before, in ms. */
      heardAgoMs?: number
    }>
  }>

/** Of the only process that can run over a database: what it writes it knows. */
export const noSignals: Signals = Object.freeze({
  confirm: () => undefined,
  follow: () => undefined,
  figures: () => ({}),
})
