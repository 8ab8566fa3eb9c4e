import { asAdmin, type Documented, type DocumentedAnswer } from './documented.js'
import type { Guard, Method, Route } from './route.js'

/** A route with what the API's document says of it. */
type DescribedRoute = Omit<Route, 'method' | 'path' | 'guard' | 'documented'> &
  Omit<Documented, 'tag' | 'answers'> &
  Readonly<{
    /** Default: that of all of them. */
    guard?: Guard
    /** With status 200; `answers` has others. */
    answer?: DocumentedAnswer
    answers?: Documented['answers']
  }>

/** Makes routes of `GET /admin/users` and the like that share a guard and the tag under which they are listed. */
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

/** The same route for admins, who have it outside of `/api`. */
export const forAdmins = ({ path, documented, ...route }: Route): Route => ({
  ...route,
  path: path.replace('/api/', '/'),
  guard: 'admin',
  documented: documented && asAdmin(documented),
})
