import type { QuireCommand } from '../quire-command.js'

/** `quire init`. */
export function addInit(program: QuireCommand): void {
  program
    .command('init')
    .argument('<folder>', 'new or empty; its name becomes that of the project')
    .summary('makes a project')
    .description(
      'Makes a project that `npm start` starts: content-types in `schema/`, settings in `quire.config.json`, secrets that were just drawn in `.env` (with `.env.example` beside it for others), `compose.yaml` and `Dockerfile`, and a README. Then it installs what the project needs.',
    )
    .option('--magazine', "with the demo's content-types, for `quire seed`", false)
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
      'init my-site --omit-optional': 'a site on a MongoDB of yours',
    })
}
