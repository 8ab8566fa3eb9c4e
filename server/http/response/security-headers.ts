import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Security headers for an API: its responses must not be executed, framed or sniffed for another type. */
export const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pages of other origins show media that content refers to.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
