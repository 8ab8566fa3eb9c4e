import type { Quire } from '../../server/lifecycle/start.js'

export type ReadsByMode = Readonly<{ inline: number; pool: number }>

/** Returns how many content reads a service has started on its main thread and in its worker pool. */
export function readsByMode({ admission }: Pick<Quire, 'admission'>): ReadsByMode {
  const admitted = (names: readonly string[]): number =>
    admission
      .figures()
      .queues.filter(({ name }) => names.includes(name))
      .reduce((sum, line) => sum + line.admitted, 0)
  return { inline: admitted(['cheap', 'larger']), pool: admitted(['pool']) }
}

/** A read whose estimated cost is so high that it runs in the worker pool, even if the database is empty. */
export const pooledPath = '/api/articles?pLevel=3'
