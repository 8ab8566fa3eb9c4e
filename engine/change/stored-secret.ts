/** Stands for a password that is stored already: only that it is there can be checked. */
export class StoredSecret {
  constructor(readonly hash: string) {}

  /** In no error is it shown, wherever in a value it stands. */
  toJSON(): undefined {
    return undefined
  }
}
