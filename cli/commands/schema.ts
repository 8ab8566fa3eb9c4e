import { withService } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'

/** `quire schema`. */
export function addSchema(program: QuireCommand): void {
  const schema = program
    .command('schema')
    .summary('says how the definitions stand to those of the database')
    .description(
      'Says how the definitions in SCHEMA_DIR stand to those of the database that the service would use; a service that has it is asked. For new ones it lists what they do to stored content: what is no longer shown, and what breaks a new rule. Exits with code 1 if a start would refuse them, because they are wrong or content does not allow a change.',
    )
    .option(
      '--go-back',
      'makes them the newest where the database has seen newer ones; a change that would strand content is refused as at a start',
      false,
    )
    .runs(async () => (await import('../schema/settle-schema.js')).settleSchema)
    .addExamples({
      schema: 'whether a start would serve these definitions',
      'schema --go-back': 'serves them again, on purpose',
    })
  schema
    .command('apply')
    .summary('turns on draft & publish and locales for types that have entries')
    .description(
      'Makes the definitions in SCHEMA_DIR the newest. Where they turn on draft & publish, each entry gets a draft that is equal to its published version; where they turn on locales, each entry belongs to the default locale. Services on a MongoDB of your own keep running; until the end they answer writes to these types with 503 and `Retry-After`. Stop a service on the embedded engine, or on a MongoDB that Quire looks after, first. If the command is killed, run it again: it continues. It checks what a start checks before it changes anything.',
    )
    .runs(async () => (await import('../schema/apply-schema.js')).applySchema)
    .addExamples({
      'schema apply': 'converts the entries that a start refuses, and serves these definitions',
    })
  withService(
    schema
      .command('diff')
      .argument(
        '[folder]',
        'of definitions, or a Strapi project; default: SCHEMA_DIR, or `schema`',
      ),
  )
    .summary('shows what the definitions of a folder would change')
    .description(
      'Shows what differs between the definitions of a folder and those of the database that the service would use, or of a running service (--url), and what becomes of stored content. Changes nothing. Exits with code 1 if something differs.',
    )
    .option('--json', 'what was found, as JSON', false)
    .runs(async () => (await import('../schema/diff-schema.js')).diffSchema)
    .addExamples({
      'schema diff': 'what the next start changes',
      'schema diff --url https://site.example':
        'what a deployment changes, as the admin of QUIRE_ADMIN_TOKEN',
    })
}
