import all from './.mocharc.mjs'
import { withDatabase } from './dist/test/support/test-files.js'

export default {
  ...all,
  spec: withDatabase(),
  // Writes wait for a majority, which takes longer than those of the embedded engine.
  timeout: 120_000,
}
