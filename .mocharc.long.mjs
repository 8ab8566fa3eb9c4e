import { withProperties } from './dist/test/support/test-files.js'

export default {
  spec: ['dist/test/**/*.long.js', ...withProperties()],
  require: ['./dist/test/support/properties.js', './dist/test/support/whole-run.js'],
  'node-option': ['enable-source-maps'],
  timeout: 1800000,
  'forbid-only': true,
}
