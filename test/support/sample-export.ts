import { fileURLToPath } from 'node:url'

/** What a real Strapi 5.54 exported: the content of the conformance's seed. */
export const sampleExport = fileURLToPath(
  new URL('../../../test/fixtures/strapi-export.tar.gz', import.meta.url),
)
