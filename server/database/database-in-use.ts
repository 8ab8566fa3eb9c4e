/** Another process has the folder of a database. Its message says all that there is to say. */
export class DatabaseInUse extends Error {
  constructor(directory: string, options?: ErrorOptions) {
    super(
      `The database in ${directory} is in use by another process. ` +
        'Stop that process, set DATA_DIR to another folder, or set MONGODB_URI.',
      options,
    )
    this.name = 'DatabaseInUse'
  }
}
