import { describeServiceCrash } from './service-crash.js'

describeServiceCrash(20)
