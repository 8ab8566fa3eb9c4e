import { describeLibrary } from './library.js'

describeLibrary(15, 16)
