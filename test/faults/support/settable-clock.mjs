// Preloaded into a collector: sets its clock by as many ms as the file CLOCK_STEP_FILE says.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { now } = Date
let stepMs = 0
Date.now = () => now() + stepMs
setInterval(() => {
  const next = Number(readFileSync(process.env.CLOCK_STEP_FILE, 'utf8'))
  if (next === stepMs || Number.isNaN(next)) return
  stepMs = next
  if (isMainThread) console.error(`clock set by ${stepMs}`)
}, 20).unref()
