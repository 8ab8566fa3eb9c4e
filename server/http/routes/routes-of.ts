import { asAdmin, type Documented, type DocumentedAnswer } from '../documented.js'
import type { Guard, Method, Route } from '../route.js'

type DescribedRoute = Omit<Route, 'method' | 'path' | 'guard' | 'documented'> &
  Omit<Documented, 'tag' | 'answers'> &
  Readonly<{
    /** Default: the guard in `common`. */
    guard?: Guard
    /** Content of the only response, with status 200. Use `answers` if there are other statuses. */
    answer?: DocumentedAnswer
    answers?: Documented['answers']
  }>

/** Creates routes with a common guard and tag. Keys are method and path: `GET /admin/users`. */
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

/** Returns the admin version of a route, without `/api` in its path. */
export const forAdmins = ({ path, documented, ...route }: Route): Route => ({
  ...route,
  path: path.replace('/api/', '/'),
  guard: 'admin',
  documented: documented && asAdmin(documented),
})
