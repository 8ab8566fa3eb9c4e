/** Whether a name needs no quotes in JavaScript: `entry.title`. */
export const isIdentifier = (name: string): boolean =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)
