import { withService } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'

export function addSchema(program: QuireCommand): void {
  const schema = program
    .command('schema')
    .summary('compares the definitions with those in the database')
    .description(
      'Compares the definitions in SCHEMA_DIR with those in the database of this project, or asks the service that uses the database. For new definitions, it lists what they change in stored content: what is no longer shown, and what breaks a new rule. Exits with code 1 if a start would refuse them, because they are invalid or content does not allow a change.',
    )
    .option(
      '--go-back',
      'makes these definitions the newest if the database has newer ones; refuses changes that stored content does not allow, as a start does',
      false,
    )
    .runs(async () => (await import('../schema/settle-schema.js')).settleSchema)
    .addExamples({
      schema: 'reports whether a start would serve these definitions',
      'schema --go-back': 'goes back to these definitions',
    })
  schema
    .command('apply')
    .summary('turns on draft & publish and locales for types that have entries')
    .description(
      'Makes the definitions in SCHEMA_DIR the newest. If they turn on draft & publish, each entry gets a draft that is equal to its published version. If they turn on locales, each entry belongs to the default locale. Services on your own MongoDB keep running; until the end, they refuse writes to these types with 503 and `Retry-After`. Stop a service on the embedded engine, or on a MongoDB that Quire runs, first. If the command is killed, run it again: it continues. Before it changes anything, it checks everything that a start checks.',
    )
    .runs(async () => (await import('../schema/apply-schema.js')).applySchema)
    .addExamples({
      'schema apply': 'converts the entries that a start refuses to convert',
    })
  withService(
    schema
      .command('diff')
      .argument(
        '[folder]',
        'folder of definitions or of a Strapi project; default: SCHEMA_DIR, or `schema`',
      ),
  )
    .summary('shows what the definitions of a folder would change')
    .description(
      'Shows how the definitions of a folder differ from those in the database of this project, or of a running service (--url), and what happens to stored content. It changes nothing. Exits with code 1 if there are differences.',
    )
    .option('--json', 'prints the result as JSON', false)
    .runs(async () => (await import('../schema/diff-schema.js')).diffSchema)
    .addExamples({
      'schema diff': 'what the next start would change',
      'schema diff --url https://site.example':
        'what a deployment would change, as the admin of QUIRE_ADMIN_TOKEN',
    })
}
