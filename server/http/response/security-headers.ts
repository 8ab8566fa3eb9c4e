import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Sets security headers for an API. Browsers must not execute responses, show them in frames, or guess their type. */
export const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Let pages from other origins show uploaded media.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
