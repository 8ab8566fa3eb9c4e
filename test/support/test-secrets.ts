/** Signs the JWTs of the services that run in the process of a test. */
export const testJwtSecret = 'the jwt secret of the tests, long enough'

/** Because these secrets are the same for all services, a service accepts the tokens of others on the same database. */
export const testSecrets = { JWT_SECRET: testJwtSecret, API_TOKEN_SALT: 'salt-of-the-tests' }
