import { runs } from '../../support/properties.js'
import { describeEngineCrash } from './engine-crash.js'

describeEngineCrash(runs(3))
