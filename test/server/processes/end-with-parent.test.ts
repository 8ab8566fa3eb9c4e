import { describeKilledParents } from './end-with-parent.js'

describeKilledParents([0, 100])
