// The runs list with many runs, a part of npm run bench:viewer: opening, scrolling to the end, typing a filter, and keys while rows change.
import { manySpans, postSpans } from './otlp-run.mjs'

const CALLS_A_RUN = 3
const RUNS_A_REQUEST = 200
/** Runs that go on while the list is looked at, and updates a second of all of them together. */
const RUNNING = 50
const UPDATES_A_SECOND = 500
const FILTER = 'kind:tool tokens:>10 planner-9'

/** Sends `count` runs of a few calls, the last `RUNNING` of them unfinished: those in turn get one more call when they are fed. */
async function sendRuns(url, count) {
  const now = Date.now()
  const running = []
  for (let at = 0; at < count; at += RUNS_A_REQUEST) {
    const spans = []
    for (let nth = at; nth < Math.min(count, at + RUNS_A_REQUEST); nth += 1) {
      const run = manySpans(CALLS_A_RUN, { name: `planner-${nth}`, startMs: now - (count - nth) * 1000 })
      const isRunning = nth >= count - RUNNING
      spans.push(...(isRunning ? run.spans.slice(1) : run.spans))
      if (isRunning) running.push(run)
    }
    await postSpans(url, spans)
  }
  return running
}

/** More calls for the running ones, until it is told to stop. */
function feed(url, running) {
  const more = running.map((run) =>
    manySpans(10_000 / running.length, { name: 'more' })
      .spans.slice(1)
      .map((span) => ({ ...span, traceId: run.traceId })),
  )
  let sent = 0
  const each = UPDATES_A_SECOND / 10
  const timer = setInterval(() => {
    const spans = Array.from({ length: each }, (_, nth) => more[(sent + nth) % more.length][Math.floor((sent + nth) / more.length)]).filter(
      Boolean,
    )
    sent += each
    void postSpans(url, spans)
  }, 100)
  return () => clearInterval(timer)
}

/** `newPage` makes a page that notes its longest task as `longest`; `pagesCpu` tells processor seconds of all pages. */
export async function measureRunsList({ url, count, newPage, pagesCpu, report }) {
  const running = await sendRuns(url, count)
  const page = await newPage()
  const startedAt = performance.now()
  const cpuBefore = await pagesCpu()
  await page.goto(url)
  await page.locator('[data-row]').first().waitFor()
  const openMs = performance.now() - startedAt
  const openCpu = (await pagesCpu()) - cpuBefore
  console.log(
    `open the list of ${count} runs: ${openMs.toFixed(0)} ms, cpu ${(openCpu * 1000).toFixed(0)} ms, longest task ${(await longest(page)).toFixed(0)} ms`,
  )

  const cpuAtTop = await pagesCpu()
  const frames = await scrollToEnd(page)
  report(`scroll ${count} runs, 900 px a frame, frame`, frames)
  console.log(`cpu of a frame: ${((((await pagesCpu()) - cpuAtTop) * 1000) / frames.length).toFixed(1)} ms`)
  const { rows, most } = await page.evaluate(() => ({
    rows: document.querySelector('table[aria-label="Runs"]').ariaRowCount,
    most: globalThis.mostRows,
  }))
  console.log(`rows of the list ${Number(rows) - 1}, in the page at most ${most}`)

  await page.evaluate(() => {
    document.querySelector('table[aria-label="Runs"]').parentElement.scrollTop = 0
  })
  for (const [what, fed] of [
    ['', false],
    [` while ${UPDATES_A_SECOND} calls/s come`, true],
  ]) {
    const stop = fed ? feed(url, running) : () => undefined
    const cpuFrom = await pagesCpu()
    const from = performance.now()
    await forgetLongest(page)
    report(`letter of the filter → paint${what}`, await type(page, FILTER))
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.locator('[data-row]').first().focus()
    report(`arrow key → paint${what}`, await press(page, 'ArrowDown', 60))
    stop()
    const share = ((await pagesCpu()) - cpuFrom) / ((performance.now() - from) / 1000)
    console.log(`longest task then: ${(await longest(page)).toFixed(0)} ms, cpu ${(share * 100).toFixed(0)} %`)
  }
  await page.close()
}

const longest = (page) => page.evaluate(() => globalThis.longest)
const forgetLongest = (page) =>
  page.evaluate(() => {
    globalThis.longest = 0
  })

/** Ms of each frame. Waits at the end of what is loaded for the next rows, which are read ahead. */
const scrollToEnd = (page) =>
  page.evaluate(async () => {
    const table = document.querySelector('table[aria-label="Runs"]')
    const scroller = table.parentElement
    const took = []
    globalThis.mostRows = 0
    let before = await new Promise(requestAnimationFrame)
    for (let idle = 0; idle < 100; ) {
      const at = scroller.scrollTop
      scroller.scrollTop += 900
      const now = await new Promise(requestAnimationFrame)
      if (scroller.scrollTop > at) {
        took.push(now - before)
        idle = 0
      } else idle += 1
      before = now
      globalThis.mostRows = Math.max(globalThis.mostRows, document.querySelectorAll('[data-row]').length)
    }
    return took
  })

/** Ms from each letter until it is painted. */
async function type(page, text) {
  const field = page.getByRole('combobox', { name: 'Filter the runs' })
  await field.focus()
  const took = []
  for (let at = 1; at <= text.length; at += 1)
    took.push(
      await page.evaluate(
        (written) =>
          new Promise((resolve) => {
            const input = document.activeElement
            const from = performance.now()
            // React hears of a value only when it is set past its own setter.
            Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, written)
            input.dispatchEvent(new Event('input', { bubbles: true }))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
          }),
        text.slice(0, at),
      ),
    )
  return took
}

/** Ms from each press until it is painted. */
async function press(page, key, times) {
  const took = []
  for (let nth = 0; nth < times; nth += 1)
    took.push(
      await page.evaluate(
        (pressed) =>
          new Promise((resolve) => {
            const from = performance.now()
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
          }),
        key,
      ),
    )
  return took
}
