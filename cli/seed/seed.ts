import { printReport } from '../print-json.js'
import { seedDemo, type SeedReport } from './seed-demo.js'

type SeedCommandOptions = Readonly<{
  base?: string
  email?: string
  password?: string
  json: boolean
}>

/** Runs `quire seed`. Throws without the credentials of an admin. */
export async function seed(options: SeedCommandOptions): Promise<void> {
  const { email = '', password = '', json } = options
  const base = options.base || `http://localhost:${process.env.PORT || 1337}`
  if (email === '' || password === '')
    throw new Error(
      'The login of an admin is missing. Give --email and --password, or set ADMIN_EMAIL and ADMIN_PASSWORD',
    )
  const report = await seedDemo({ base, admin: { email, password } })
  printReport(json, { created: report }, () => formatReport(report))
}

function formatReport(report: SeedReport): string {
  const created = Object.entries(report).filter(([, count]) => count > 0)
  if (created.length === 0) return 'All demo content already exists.'
  return `Created: ${created.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}
