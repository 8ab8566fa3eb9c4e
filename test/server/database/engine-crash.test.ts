import { describeEngineCrash } from './engine-crash.js'

describeEngineCrash(3)
