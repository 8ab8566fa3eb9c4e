/** Environment variables that are not settings, with their meaning. docs/settings.md shows them. */
export const variables = {
  PORT: 'Port to listen on; default 1337',
  HOST: 'Address to listen on; default 0.0.0.0, every interface',
  MONGODB_URI: 'An ordinary MongoDB; default: the embedded one, in `DATA_DIR`',
  DATA_DIR: 'Folder of the embedded database and of uploaded files; default `.data`',
  SCHEMA_DIR: 'Folder of content-type files; default `schema`, where it exists',
  CONFIG_DIR: 'Folder of what `quire config` keeps in files; default `config`',
  QUIRE_CONFIG: 'File of settings; default `quire.config.json`, where it exists',
  JWT_SECRET: 'Signs JWTs; default: generated once and kept in the database',
  JWT_SECRET_FORMER:
    'Former values of `JWT_SECRET`, comma-separated, whose JWTs are still accepted',
  API_TOKEN_SALT: 'Hashes API tokens; default: generated once and kept in the database',
  UPLOAD_SIGNING_KEY: 'Signs links to files; default: generated once and kept in the database',
  UPLOAD_S3_ACCESS_KEY_ID:
    "Who asks S3, with `UPLOAD_S3_SECRET_ACCESS_KEY`; default: what AWS's SDK finds in its own variables and files",
  UPLOAD_S3_SECRET_ACCESS_KEY: 'The secret of `UPLOAD_S3_ACCESS_KEY_ID`',
  ADMIN_EMAIL: 'The first admin, created where there is none; with `ADMIN_PASSWORD`',
  ADMIN_PASSWORD:
    'The password of the first admin: 8 characters, of them a lower-case and an upper-case letter and a digit',
} as const

export type Variable = keyof typeof variables

/** Variables that contain secrets. Each may be given as a file instead (`secret-files.ts`). */
export const secretVariables: readonly Variable[] = [
  'MONGODB_URI',
  'JWT_SECRET',
  'JWT_SECRET_FORMER',
  'API_TOKEN_SALT',
  'UPLOAD_SIGNING_KEY',
  'UPLOAD_S3_ACCESS_KEY_ID',
  'UPLOAD_S3_SECRET_ACCESS_KEY',
  'ADMIN_PASSWORD',
]
