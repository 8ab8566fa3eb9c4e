import type { ContentType, Service } from './content-type.js'
import type { CollectionMethods, SingleMethods } from './methods.js'

/** Type for a client of `@strapi/client`: `strapi({ baseURL }) as unknown as StrapiClient<Quire>`. */
export interface StrapiClient<Q extends Service> {
  collection<K extends keyof Q['collections'] & string>(name: K): Of<Q['collections'][K], 'many'>
  single<K extends keyof Q['singles'] & string>(name: K): Of<Q['singles'][K], 'one'>
}

type Of<T, Kind> = T extends ContentType
  ? Kind extends 'many'
    ? CollectionMethods<T>
    : SingleMethods<T>
  : never
