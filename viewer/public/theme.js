// Runs before the first paint, so that a remembered theme never flashes the other one.
try {
  const theme = localStorage.getItem('gm:theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch (error) {
  console.info('The remembered theme is not readable, so the system decides:', error)
}
