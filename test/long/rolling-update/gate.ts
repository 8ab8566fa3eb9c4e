/** Controls which kinds of stories (sequences of requests) may begin. */
export type Gate<Kind extends string> = Readonly<{
  open: (...kinds: readonly Kind[]) => void
  /** Lets no more stories of these kinds begin. Resolves when those that have begun have ended. */
  close: (...kinds: readonly Kind[]) => Promise<void>
  /** Runs a story if its kind may begin. Otherwise resolves to `closed`. */
  pass: (kind: Kind, story: () => Promise<void>) => Promise<'done' | 'closed'>
}>

export function createGate<Kind extends string>(): Gate<Kind> {
  const isOpen = new Set<Kind>()
  const underWay = new Map<Promise<void>, Kind>()
  return {
    open: (...kinds) => kinds.forEach((kind) => isOpen.add(kind)),
    close: async (...kinds) => {
      kinds.forEach((kind) => isOpen.delete(kind))
      const left = [...underWay].filter(([, kind]) => kinds.includes(kind))
      await Promise.all(left.map(([story]) => story))
    },
    pass: async (kind, story) => {
      if (!isOpen.has(kind)) return 'closed'
      const running = story()
      underWay.set(running, kind)
      await running.finally(() => underWay.delete(running))
      return 'done'
    },
  }
}
