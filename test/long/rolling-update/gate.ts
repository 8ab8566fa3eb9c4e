/** Lets stories of some kinds begin or not, and waits for those that have begun. */
export type Gate<Kind extends string> = Readonly<{
  open: (...kinds: readonly Kind[]) => void
  /** Resolves when none of these kinds is under way. */
  close: (...kinds: readonly Kind[]) => Promise<void>
  /** Runs a story where its kind may begin. */
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
