import type { QuireCommand } from '../quire-command.js'

/** `quire init`. */
export function addInit(program: QuireCommand): void {
  program
    .command('init')
    .argument('<folder>', 'new or empty; its name becomes that of the project')
    .summary('makes a project')
    .description(
      'Makes a project that `npm start` starts: two sample content-types in `schema/`, settings in `quire.config.json`, secrets that were just drawn in `.env` (with `.env.example` beside it for others), `compose.yaml` and `Dockerfile`, and a README. Then it installs what the project needs.',
    )
    .option('--magazine', "with the demo's content-types, for `quire seed`", false)
    .addOption(
      program
        .createOption('--empty', 'without content-types')
        .default(false)
        .conflicts(['magazine', 'fromStrapi']),
    )
    .addOption(
      program
        .createOption(
          '--from-strapi <folder>',
          'with the definitions and settings of a Strapi project',
        )
        .conflicts('magazine'),
    )
    .addOption(
      program
        .createOption(
          '--profile <name>',
          'of the answers: those of Quire, or of a Strapi without its strict flags; default: asks, or strict where there is no terminal',
        )
        .choices(['strict', 'strapi']),
    )
    .option(
      '--from <package>',
      'where npm gets Quire from: a version, or a packed file; default: as this Quire was installed',
    )
    .option('--no-install', 'installs nothing')
    .option(
      '--omit-optional',
      'installs no embedded database, and no other optional package',
      false,
    )
    .runs(async () => (await import('../init/init.js')).init)
    .addExamples({
      'init my-site': 'a site on the embedded database',
      'init my-site --magazine': "with the demo's content-types",
      'init my-site --from-strapi ../shop --profile strapi': 'in the place of a Strapi project',
      'init my-site --omit-optional': 'a site on a MongoDB of yours',
    })
}
