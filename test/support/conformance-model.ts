import { fileURLToPath } from 'node:url'

/**
 * Folder of a model with articles that have every kind of attribute, and with authors, tags, single types and
 * components.
 */
export const conformanceModel = fileURLToPath(
  new URL('../../../test/conformance/model', import.meta.url),
)
