/** Whether JavaScript and TypeScript accept a name without quotes: `entry.title`. */
export const isIdentifier = (name: string): boolean =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)
