/**
 * Resolves an argument that may be secret. Other users can see the arguments of a process, so `env:NAME` refers to an
 * environment variable.
 * @throws Error if there is no such variable
 */
export function fromEnvironment(given: string): string {
  if (!given.startsWith('env:')) return given
  const name = given.slice('env:'.length)
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`There is no variable ${name}`)
  return value
}
