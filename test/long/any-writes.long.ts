import { describeAnyWrites } from '../engine/write/any-writes/describe.js'

describeAnyWrites(200, 60)
