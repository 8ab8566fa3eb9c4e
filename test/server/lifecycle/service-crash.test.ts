import { runs } from '../../support/properties.js'
import { describeServiceCrash } from './service-crash.js'

// One round for each of its execution modes at least.
describeServiceCrash(Math.max(2, runs(3)))
