import { runs } from '../../support/properties.js'
import { describeServiceCrash } from './service-crash.js'

// At least one round for each execution mode.
describeServiceCrash(Math.max(2, runs(3)))
