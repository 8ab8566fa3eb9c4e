import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Sets security headers for an API. They forbid browsers to execute its responses, to frame them or to guess their
 * type.
 */
export const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pages of other origins may show uploaded media.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
