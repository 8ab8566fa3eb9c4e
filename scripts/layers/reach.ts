/** All that is loaded with a file, itself included: files, and names of packages, of which `importsOf` knows nothing. */
export function reach(
  from: string,
  importsOf: (file: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set([from])
  for (const file of reached) for (const name of importsOf(file)) reached.add(name)
  return reached
}
