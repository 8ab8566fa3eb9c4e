/** Stands for a password that is stored already: only that it is there can be checked. */
export class StoredSecret {
  constructor(readonly hash: string) {}
}
