import { runs } from '../support/properties.js'
import { describeAnyWrites } from '../engine/write/any-writes/describe.js'

describeAnyWrites(runs(20), 60)
