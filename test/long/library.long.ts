import { describeLibrary } from '../write/library.js'

describeLibrary(200, 40)
