export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function percentile(values, percent) {
  if (values.length === 0) return null
  const sorted = [...values].sort((one, other) => one - other)
  return Number(sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)].toFixed(2))
}

export const spread = (values) => ({
  count: values.length,
  p50: percentile(values, 50),
  p95: percentile(values, 95),
  max: percentile(values, 100),
})

export const megabytes = (bytes) => Number((bytes / 1048576).toFixed(1))
