import type { Settings } from './settings.js'

/**
 * Values that a profile sets in place of the usual defaults. Each of these settings can also be set separately
 * (docs/internals/decisions.md, "Profiles"). The profile `strapi` behaves like Strapi with its strict flags off, as
 * they are in nearly every project.
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
