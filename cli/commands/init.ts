import type { QuireCommand } from '../quire-command.js'

export function addInit(program: QuireCommand): void {
  program
    .command('init')
    .argument('<folder>', 'a new or empty folder; its name is the name of the project')
    .summary('creates a project')
    .description(
      'Creates a project that you can start with `npm start`: two sample content-types in `schema/`, settings in `quire.config.json`, new secrets in `.env` (and `.env.example` for other developers), `compose.yaml`, `Dockerfile` and a README. Then it installs the packages of the project.',
    )
    .option('--magazine', "uses the demo's content-types, for `quire seed`", false)
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
          'copies the definitions and settings of a Strapi project',
        )
        .conflicts('magazine'),
    )
    .addOption(
      program
        .createOption(
          '--profile <name>',
          'profile of the API: that of Quire, or that of a Strapi without its strict flags; default: asks on a terminal, else strict',
        )
        .choices(['strict', 'strapi']),
    )
    .option(
      '--from <package>',
      'version or packed file of Quire that npm installs; default: that of this Quire',
    )
    .option('--no-install', 'does not install packages')
    .option(
      '--omit-optional',
      'installs neither the embedded database nor other optional packages',
      false,
    )
    .runs(async () => (await import('../init/init.js')).init)
    .addExamples({
      'init my-site': 'a site on the embedded database',
      'init my-site --magazine': "with the demo's content-types",
      'init my-site --from-strapi ../shop --profile strapi':
        'a site that replaces a Strapi project',
      'init my-site --omit-optional': 'a site on your own MongoDB',
    })
}
