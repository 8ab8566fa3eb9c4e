import { readFileSync } from 'node:fs'
import { withoutProcesses } from './dist/test/support/test-files.js'

const all = JSON.parse(readFileSync('.mocharc.json', 'utf8'))

export default {
  ...all,
  spec: withoutProcesses(),
  require: [...all.require, './dist/test/support/no-process.js'],
}
