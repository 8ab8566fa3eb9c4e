import { describeKilledParents } from './end-with-parent.js'

describeKilledParents(Array.from({ length: 21 }, (_, at) => at * 20))
