import type { FailureObserver } from '../http/observe/access-log.js'
import type { ReportError } from './error-report.js'

/** Reports requests that failed with an unhandled error. */
export const reportFailures =
  (report: ReportError): FailureObserver =>
  (error, { route, ...request }) =>
    report({
      error,
      in: 'request',
      request: { ...request, route: route?.pattern, type: route?.type },
    })
