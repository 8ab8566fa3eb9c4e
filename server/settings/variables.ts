/** Variables that do not belong to a setting, as docs/settings.md lists them. */
export const variables = {
  PORT: 'Port to listen on; default 1337',
  HOST: 'Address to listen on; default 0.0.0.0, every interface',
  MONGODB_URI: 'URI of a MongoDB server; default: the embedded database in `DATA_DIR`',
  DATA_DIR: 'Folder of the embedded database and of uploaded files; default `.data`',
  SCHEMA_DIR: 'Folder of content-type files; default `schema`, if it exists',
  CONFIG_DIR: 'Folder of the files that `quire config` reads and writes; default `config`',
  QUIRE_CONFIG: 'Settings file; default `quire.config.json`, if it exists',
  JWT_SECRET: 'Signs JWTs; default: generated once and kept in the database',
  JWT_SECRET_FORMER:
    'Previous values of `JWT_SECRET`, comma-separated. JWTs that they signed are still accepted',
  API_TOKEN_SALT: 'Hashes API tokens; default: generated once and kept in the database',
  UPLOAD_SIGNING_KEY: 'Signs links to files; default: generated once and kept in the database',
  UPLOAD_S3_ACCESS_KEY_ID:
    'Access key for S3, together with `UPLOAD_S3_SECRET_ACCESS_KEY`; default: the AWS SDK searches its own variables and files',
  UPLOAD_S3_SECRET_ACCESS_KEY: 'Secret of `UPLOAD_S3_ACCESS_KEY_ID`',
  ADMIN_EMAIL:
    'E-mail address of the first admin. A start creates this admin if there is none; needs `ADMIN_PASSWORD`',
  ADMIN_PASSWORD:
    'Password of the first admin: at least 8 characters, with a lower-case letter, an upper-case letter and a digit',
} as const

export type Variable = keyof typeof variables

/** Variables with secrets. Each may be passed as a file instead (`secret-files.ts`). */
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
