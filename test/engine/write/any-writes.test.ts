import { runs } from '../../support/properties.js'
import { describeAnyWrites } from './any-writes/describe.js'

describeAnyWrites(runs(10), 20)
