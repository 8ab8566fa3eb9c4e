import all from './.mocharc.mjs'
import { withProperties } from './dist/test/support/test-files.js'

export default {
  ...all,
  spec: ['dist/test/**/*.long.js', ...withProperties()],
  parallel: false,
  timeout: 1_800_000,
}
