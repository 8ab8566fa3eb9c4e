import { describeAnyWrites } from './any-writes/describe.js'

describeAnyWrites(10, 20)
