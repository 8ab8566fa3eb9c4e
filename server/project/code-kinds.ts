/** The kinds of a Strapi project's code: how many are meant, and what takes their place (docs/coming-from-strapi.md, "What takes the place of code"). */
export const codeKinds = {
  lifecycles: {
    names: ['file of lifecycles', 'files of lifecycles'],
    instead:
      'what they do before a write belongs into whoever writes, what they do after it into what reads the changes (sort=updatedAt)',
  },
  controllers: {
    names: ['controller', 'controllers'],
    instead:
      'what they populate is said by options.defaultPopulate or api.rest.defaultPopulate; the rest belongs into a service that calls the API',
  },
  routes: {
    names: ['file of routes', 'files of routes'],
    instead:
      'content-types have their endpoints without them, and roles and tokens say who may call them; other paths belong into a service that calls the API',
  },
  services: {
    names: ['service', 'services'],
    instead: 'what they do belongs into a service that calls the API',
  },
  policies: {
    names: ['policy', 'policies'],
    instead: 'roles and tokens say who may do what; other conditions belong before the API',
  },
  middlewares: {
    names: ['middleware', 'middlewares'],
    instead:
      'what they populate is said by options.defaultPopulate or api.rest.defaultPopulate, CORS and limits are settings; the rest belongs into a proxy before the API',
  },
  plugins: {
    names: ['plugin', 'plugins'],
    instead:
      'deep populate is built in, custom fields are stored as their base type, and content-types of plugins have entries without endpoints; the rest belongs into a service that calls the API',
  },
  extensions: {
    names: ['extension of a plugin', 'extensions of plugins'],
    instead:
      'a content-type is extended by its schema.json; other endpoints belong into a service that calls the API',
  },
  bootstrap: {
    names: ['register or bootstrap function', 'register and bootstrap functions'],
    instead: 'content and permissions are set up by a script that calls the API',
  },
  cron: {
    names: ['file of cron tasks', 'files of cron tasks'],
    instead: 'a scheduler outside calls the API',
  },
  migrations: {
    names: ['migration of the database', 'migrations of the database'],
    instead:
      'collections follow the definitions by themselves, and content is changed by a script that calls the API',
  },
} as const satisfies Record<string, Readonly<{ names: readonly [string, string]; instead: string }>>

export type CodeKind = keyof typeof codeKinds

/** What was found of one kind. */
export type FoundCode = Readonly<{
  kind: CodeKind
  /** Files from the project's folder, with `/`, or names of plugins with the file that names them. */
  places: readonly string[]
}>

/** One line that says what does not run, where it is (the first `most` places) and what takes its place. */
export function tellCode({ kind, places }: FoundCode, most: number): string {
  const { names, instead } = codeKinds[kind]
  const count = `${places.length} ${places.length === 1 ? names[0] : names[1]}`
  const more = places.length > most ? `, and ${places.length - most} more` : ''
  return `${count} will not run (${places.slice(0, most).join(', ')}${more}): ${instead}`
}
