/** This package's version, as `hello` reports it. A test keeps it equal to package.json. */
export const CLIENT_VERSION = '0.7.0'
