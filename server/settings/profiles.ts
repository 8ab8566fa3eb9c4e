import type { Settings } from './settings.js'

/**
 * Values of settings that each profile uses in place of the defaults (docs/internals/decisions.md, "Profiles").
 * `strapi` behaves like Strapi with its strict flags off, as in nearly every project.
 */
export const profiles: Readonly<Record<Settings['profile'], Partial<Settings>>> = {
  strict: {},
  strapi: {
    'api.rest.unknownKeys': 'ignore',
    'validation.requiredRelations': false,
    'api.rest.wrapFilteredRelations': false,
    'api.rest.publicDrafts': true,
    'api.rest.generateUids': false,
    'upload.deniedTypes': [],
    'upload.enforceAllowedTypes': false,
  },
}
