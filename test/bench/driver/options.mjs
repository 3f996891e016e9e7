/** Reads `--name value` pairs and bare `--name` over the defaults; the type of a default says how its value is read. */
export function readOptions(argv, defaults) {
  const options = { ...defaults }
  for (let index = 0; index < argv.length; index++) {
    const name = argv[index].slice(2)
    if (!argv[index].startsWith('--') || !(name in defaults)) {
      throw new Error(
        `There is no option ${argv[index]}. Options: ${Object.keys(defaults)
          .map((key) => `--${key}`)
          .join(' ')}`,
      )
    }
    const next = argv[index + 1]
    const value = next === undefined || next.startsWith('--') ? 'true' : argv[++index]
    const kind = typeof defaults[name]
    options[name] = kind === 'number' ? Number(value) : kind === 'boolean' ? value === 'true' : value
  }
  return options
}
