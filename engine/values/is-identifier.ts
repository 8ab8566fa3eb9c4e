export const isIdentifier = (name: string): boolean =>
  /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)
