import type { QuireCommand } from '../quire-command.js'

/** `quire schema`. */
export function addSchema(program: QuireCommand): void {
  program
    .command('schema')
    .summary('says how the definitions stand to those of the database')
    .description(
      'Says how the definitions in SCHEMA_DIR stand to those of the database that the service would use. Ends with 1 where a start would refuse them, because they are wrong or content does not allow a change.',
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
}
