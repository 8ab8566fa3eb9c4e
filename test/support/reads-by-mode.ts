import type { Quire } from '../../server/lifecycle/start.js'

export type ReadsByMode = Readonly<{ inline: number; pool: number }>

/** Returns how many reads of content a service has started in each mode: on its main thread and in its worker pool. */
export function readsByMode({ admission }: Pick<Quire, 'admission'>): ReadsByMode {
  const admitted = (names: readonly string[]): number =>
    admission
      .figures()
      .queues.filter(({ name }) => names.includes(name))
      .reduce((sum, line) => sum + line.admitted, 0)
  return { inline: admitted(['cheap', 'larger']), pool: admitted(['pool']) }
}

/** Path of a read whose estimated cost is so high that it runs in the worker pool, even if the database is empty. */
export const pooledPath = '/api/articles?pLevel=3'
