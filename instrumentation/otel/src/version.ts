/** This package's version; a test holds it against package.json. */
export const VERSION = '0.7.0'
