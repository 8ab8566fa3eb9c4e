/**
 * `npm run check -- DIR`: what would come of a start with a folder as `SCHEMA_DIR`, without a database. Ends with
 * code 1 where it would not start.
 */
import { parseArgs } from 'node:util'
import { checkProject } from '../server/lifecycle/check-project.js'
import { tellReport } from '../server/lifecycle/tell-report.js'

const usage = 'npm run check -- DIR, with the folder of a Strapi project or of definitions'

try {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) throw new Error(usage)
  const report = await checkProject(folder, process.env, process.cwd())
  console.log(tellReport(report))
  if (report.problem !== undefined) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
