// Runs before the first paint, so that remembered looks never flash the other ones.
try {
  for (const [key, known] of [
    ['theme', ['light', 'dark']],
    ['density', ['compact']],
    ['motion', ['reduced']],
  ]) {
    const value = localStorage.getItem(`gm:${key}`)
    if (known.includes(value)) document.documentElement.dataset[key] = value
  }
} catch (error) {
  console.info('The remembered look is not readable, so the system decides:', error)
}
