import { countText } from '../../engine/values/count-text.js'

/** Kinds of code in a Strapi project (docs/coming-from-strapi.md, "What takes the place of code"). */
export const codeKinds = {
  lifecycles: {
    names: ['file of lifecycles', 'files of lifecycles'],
    instead:
      'move what they do before a write to the client that writes, and what they do after it to a program that reads changes (sort=updatedAt)',
  },
  controllers: {
    names: ['controller', 'controllers'],
    instead:
      'options.defaultPopulate or api.rest.defaultPopulate replaces what they populate; move the rest to a service that calls the API',
  },
  routes: {
    names: ['file of routes', 'files of routes'],
    instead:
      'content-types have endpoints without them, and roles and tokens control who may call these; move other paths to a service that calls the API',
  },
  services: {
    names: ['service', 'services'],
    instead: 'move what they do to a service that calls the API',
  },
  policies: {
    names: ['policy', 'policies'],
    instead:
      'roles and tokens control who may do what; check other conditions in a proxy in front of the API',
  },
  middlewares: {
    names: ['middleware', 'middlewares'],
    instead:
      'options.defaultPopulate or api.rest.defaultPopulate replaces what they populate, and CORS and limits are settings; move the rest to a proxy in front of the API',
  },
  plugins: {
    names: ['plugin', 'plugins'],
    instead:
      'deep populate is built in, custom fields are stored as their base type, and content-types of plugins have entries without endpoints; move the rest to a service that calls the API',
  },
  extensions: {
    names: ['extension of a plugin', 'extensions of plugins'],
    instead:
      'extend a content-type in its schema.json; move other endpoints to a service that calls the API',
  },
  bootstrap: {
    names: ['register or bootstrap function', 'register and bootstrap functions'],
    instead: 'set up content and permissions with a script that calls the API',
  },
  cron: {
    names: ['file of cron tasks', 'files of cron tasks'],
    instead: 'call the API from an external scheduler',
  },
  migrations: {
    names: ['migration of the database', 'migrations of the database'],
    instead:
      'collections follow the definitions by themselves; change content with a script that calls the API',
  },
} as const satisfies Record<string, Readonly<{ names: readonly [string, string]; instead: string }>>

export type CodeKind = keyof typeof codeKinds

/** The code of one kind that was found in a project. */
export type FoundCode = Readonly<{
  kind: CodeKind
  /** Paths of files, relative to the project's folder, with `/`. For a plugin, its name with the file that lists it. */
  places: readonly string[]
}>

/**
 * Returns a line with the number of places where code of this kind was found, the first `most` of these places, and
 * what replaces the code in Quire.
 */
export function describeCode({ kind, places }: FoundCode, most: number): string {
  const { names, instead } = codeKinds[kind]
  const [one, many] = names
  const count = countText(places.length, one, many)
  const more = places.length > most ? `, and ${places.length - most} more` : ''
  return `${count} will not run (${places.slice(0, most).join(', ')}${more}): ${instead}`
}
