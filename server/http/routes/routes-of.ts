import { asAdmin, type Documented, type DocumentedAnswer } from '../documented.js'
import type { Guard, Method, Route } from '../route.js'

/** A route, with its description for the OpenAPI document. */
type DescribedRoute = Omit<Route, 'method' | 'path' | 'guard' | 'documented'> &
  Omit<Documented, 'tag' | 'answers'> &
  Readonly<{
    /** Default: `guard` of the common options. */
    guard?: Guard
    /** The response with status 200. Use `answers` for other statuses. */
    answer?: DocumentedAnswer
    answers?: Documented['answers']
  }>

/** Creates routes that share a guard and a tag. The keys are names such as `GET /admin/users`. */
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

/** Returns the same route for admins, with a path outside of `/api`. */
export const forAdmins = ({ path, documented, ...route }: Route): Route => ({
  ...route,
  path: path.replace('/api/', '/'),
  guard: 'admin',
  documented: documented && asAdmin(documented),
})
