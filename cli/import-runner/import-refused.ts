/** What the command was asked for and does not do, in words; nothing was changed. */
export class ImportRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImportRefused'
  }
}
