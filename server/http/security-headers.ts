import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Headers for an API: nothing that it answers is to run, to be framed, or to be sniffed for another type. */
export const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pages of other origins show the media that content refers to.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
