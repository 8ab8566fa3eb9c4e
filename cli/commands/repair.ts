import type { QuireCommand } from '../quire-command.js'

/** `quire repair`. */
export function addRepair(program: QuireCommand): void {
  program
    .command('repair')
    .summary('mends what interrupted writes left')
    .description(
      'Finds and mends what interrupted writes left behind, in the database that the service would use. It may run beside services over a MongoDB of your own; the embedded engine, and a MongoDB that Quire looks after, has to be stopped first. Exits with code 1 if something is left.',
    )
    .option('--check', 'tells only, and changes nothing', false)
    .option('--json', 'the report as JSON', false)
    .runs(async () => (await import('../repair/repair.js')).repair)
    .addExamples({
      'repair --check': 'tells whether there is something to mend',
      repair: 'mends it',
    })
}
