/**
 * Returns the value of an argument that may be secret. `env:NAME` stands for the value of the environment variable
 * `NAME`, because other users can see the arguments of a process.
 * @throws Error if there is no such variable
 */
export function fromEnvironment(given: string): string {
  if (!given.startsWith('env:')) return given
  const name = given.slice('env:'.length)
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new Error(`The environment variable ${name} is not set`)
  return value
}
