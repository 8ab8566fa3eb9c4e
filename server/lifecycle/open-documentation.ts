import { keepDocuments } from '../documentation/document-memory.js'
import { pageRoutes } from '../documentation/page-routes.js'
import { documentationRoutes } from '../documentation/routes.js'
import type { Route } from '../http/route.js'
import type { Config } from '../settings/config.js'
import type { Services } from './services.js'

/** What tells of the API; `routes` are all of the service's own. */
export function openDocumentation(
  { settings, production }: Config,
  services: Pick<Services, 'registry' | 'settings'>,
  routes: () => readonly Route[],
): readonly Route[] {
  const asked = settings['documentation.access']
  const usual = production ? 'admins' : 'public'
  const documents = keepDocuments(services, routes)
  return [...documentationRoutes(documents, asked === 'auto' ? usual : asked), ...pageRoutes()]
}
