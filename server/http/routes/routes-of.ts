import { asAdmin, type Documented, type DocumentedAnswer } from '../documented.js'
import type { Guard, Method, Route } from '../route.js'

/** A route without method and path, together with its description for the OpenAPI document. */
type DescribedRoute = Omit<Route, 'method' | 'path' | 'guard' | 'documented'> &
  Omit<Documented, 'tag' | 'answers'> &
  Readonly<{
    /** The guard; default: `guard` of the common options. */
    guard?: Guard
    /** Content of the response with status 200. Use `answers` instead if there are other statuses. */
    answer?: DocumentedAnswer
    answers?: Documented['answers']
  }>

/** Creates routes that share a guard and a tag. The keys of `routes` consist of method and path: `GET /admin/users`. */
export const routesOf = (
  common: Readonly<{ guard: Guard; tag: string }>,
  routes: Readonly<Record<`${Method} /${string}`, DescribedRoute>>,
): readonly Route[] =>
  Object.entries(routes).map(([name, described]) => {
    const route = { ...common, ...described }
    const { answer, answers = answer === undefined ? {} : { 200: answer } } = route
    const [method, path] = name.split(' ') as [Method, string]
    return { ...route, method, path, documented: { ...route, answers } }
  })

/** Returns the admin version of a route: its path does not begin with `/api`. */
export const forAdmins = ({ path, documented, ...route }: Route): Route => ({
  ...route,
  path: path.replace('/api/', '/'),
  guard: 'admin',
  documented: documented && asAdmin(documented),
})
