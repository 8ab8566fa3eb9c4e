import { fileURLToPath } from 'node:url'

/** Path of an export of Strapi 5.54 with the seed content of the conformance tests. */
export const sampleExport = fileURLToPath(
  new URL('../../../test/fixtures/strapi-export.tar.gz', import.meta.url),
)
