/**
 * `npm run seed`: loads the demo magazine into a running service that has its content-types.
 * `npm run seed -- --base http://localhost:1337 --email admin@example.com --password …`, or `BASE_URL`,
 * `ADMIN_EMAIL` and `ADMIN_PASSWORD`.
 */
import { parseArgs } from 'node:util'
import { seedDemo, type SeedReport } from './seed/seed-demo.js'

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: process.env['BASE_URL'] ?? 'http://localhost:1337' },
    email: { type: 'string', default: process.env['ADMIN_EMAIL'] ?? '' },
    password: { type: 'string', default: process.env['ADMIN_PASSWORD'] ?? '' },
  },
})

const { base, email, password } = values
if (email === '' || password === '') {
  console.error('An admin is needed: --email and --password, or ADMIN_EMAIL and ADMIN_PASSWORD')
  process.exit(1)
}

try {
  console.log(tell(await seedDemo({ base, admin: { email, password } })))
} catch (error) {
  console.error(error instanceof Error ? explain(error) : String(error))
  process.exit(1)
}

function tell(report: SeedReport): string {
  const created = Object.entries(report).filter(([, count]) => count > 0)
  if (created.length === 0) return 'Everything was there already.'
  return `Created: ${created.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}

/** `fetch failed` alone says nothing; its cause does. */
function explain({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message} (${base})` : message
}
