import type { QuireCommand } from '../quire-command.js'

export function addRepair(program: QuireCommand): void {
  program
    .command('repair')
    .summary('repairs the results of interrupted writes')
    .description(
      'Finds and repairs inconsistencies that interrupted writes left in the database of this project. It can run alongside services that use your own MongoDB. If the database is the embedded engine, or a MongoDB that Quire runs, stop the service first. Exits with code 1 if inconsistencies remain.',
    )
    .option('--check', 'only reports, and changes nothing', false)
    .option('--json', 'prints the report as JSON', false)
    .runs(async () => (await import('../repair/repair.js')).repair)
    .addExamples({
      'repair --check': 'reports inconsistencies',
      repair: 'repairs them',
    })
}
