import type { Settings } from './settings.js'

/**
 * Which defaults of settings a profile changes, and nothing else: each of these settings can be given by itself
 * (docs/decisions.md, "Profiles"). `strapi` is a Strapi without its strict flags, as nearly every project runs it.
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
