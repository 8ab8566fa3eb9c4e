import type { Configuration, Difference } from '../../server/configuration/configuration.js'

/** What is stored, however it is reached: through a running service, or in the database. */
export type Side = Readonly<{
  read: () => Promise<Configuration>
  /** What files would change. Throws an error that says all that is wrong with them. */
  compare: (given: Configuration, prune: boolean) => Promise<Difference>
  /** Makes that difference; throws where it is another by now. */
  apply: (given: Configuration, prune: boolean, digest: string) => Promise<Difference>
}>
