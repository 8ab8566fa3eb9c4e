import { describeAnyWrites } from '../write/any-writes/describe.js'

describeAnyWrites(200, 60)
