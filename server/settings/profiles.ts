import type { Settings } from './settings.js'

/**
 * Defaults of settings that a profile changes. Each of these settings can also be set separately (docs/decisions.md,
 * "Profiles"). `strapi` behaves like Strapi without its strict flags, as nearly every project runs it.
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
