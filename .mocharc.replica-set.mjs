import { readFileSync } from 'node:fs'
import { withProcesses } from './dist/test/support/test-files.js'

export default {
  ...JSON.parse(readFileSync('.mocharc.json', 'utf8')),
  spec: withProcesses(),
  // Writes wait for a majority, which takes longer than those of the embedded engine.
  timeout: 120000,
}
