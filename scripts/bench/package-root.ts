import { fileURLToPath } from 'node:url'

/** A path in the package, seen from the compiled code in `dist/scripts/bench`. */
export const inPackage = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url))
