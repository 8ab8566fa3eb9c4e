import type { Quire } from '../../server/lifecycle/start.js'

export type ReadsByMode = Readonly<{ inline: number; pool: number }>

/** How many reads of content a service has begun on its main thread, and how many in its worker pool. */
export function readsByMode({ admission }: Pick<Quire, 'admission'>): ReadsByMode {
  const admitted = (names: readonly string[]): number =>
    admission
      .figures()
      .lines.filter(({ name }) => names.includes(name))
      .reduce((sum, line) => sum + line.admitted, 0)
  return { inline: admitted(['cheap', 'larger']), pool: admitted(['pool']) }
}

/** A list of the conformance model that runs in the pool by its cost, also where there is nothing to be shown. */
export const pooledPath = '/api/articles?pLevel=3'
