import { fileURLToPath } from 'node:url'

/** An export of a real Strapi 5.54 with the seed content of the conformance tests. */
export const sampleExport = fileURLToPath(
  new URL('../../../test/fixtures/strapi-export.tar.gz', import.meta.url),
)
