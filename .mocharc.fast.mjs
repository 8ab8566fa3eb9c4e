import all from './.mocharc.mjs'
import { withoutProcesses } from './dist/test/support/test-files.js'

export default {
  ...all,
  spec: withoutProcesses(),
  require: [...all.require, './dist/test/support/no-process.js'],
}
