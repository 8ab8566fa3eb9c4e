/**
 * `npm run seed`: loads the demo magazine into a running service that has its content-types.
 * `npm run seed -- --base http://localhost:1337 --email admin@example.com --password …`, or `BASE_URL`,
 * `ADMIN_EMAIL` and `ADMIN_PASSWORD`.
 */
import { parseArgs } from 'node:util'
import { seedDemo, type SeedReport } from './seed/seed-demo.js'

const { env } = process
const options = {
  base: { type: 'string', default: env['BASE_URL'] ?? 'http://localhost:1337' },
  email: { type: 'string', default: env['ADMIN_EMAIL'] ?? '' },
  password: { type: 'string', default: env['ADMIN_PASSWORD'] ?? '' },
} as const

try {
  const { base, ...admin } = parseArgs({ options }).values
  if (admin.email === '' || admin.password === '')
    throw new Error('An admin is needed: --email and --password, or ADMIN_EMAIL and ADMIN_PASSWORD')
  console.log(tell(await seedDemo({ base, admin })))
} catch (error) {
  console.error(error instanceof Error ? explain(error) : String(error))
  process.exitCode = 1
}

function tell(report: SeedReport): string {
  const created = Object.entries(report).filter(([, count]) => count > 0)
  if (created.length === 0) return 'Everything was there already.'
  return `Created: ${created.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}

/** `fetch failed` alone says nothing; its cause does. */
function explain({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
