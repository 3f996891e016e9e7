import type { RunPicture } from '@graphmind-ai/schema'
import { memo, useMemo } from 'react'
import { PRICE_SOURCE } from '../../model/estimate.ts'
import { aboutCost, cost, count, exactly, MISSING, plural } from '../../model/format.ts'
import { type ContextPoint, columnsOf, contextOfCalls, type ModelUse, usageByModel } from '../../model/usage-view.ts'
import { useEstimator } from '../../ui/use-estimator.ts'
import { useSelection } from '../../ui/use-selection.ts'
import styles from './context-and-cost.module.css'

const COLUMNS = 80
const HEIGHT = 56

/** How the context grew from one model call to the next, and what each model's calls came to: as they reported it, and as it is estimated. */
export const ContextAndCost = memo(function ContextAndCost({ picture, pulse }: { picture: RunPicture; pulse: number }) {
  const estimator = useEstimator()
  const { uses, points } = useMemo(
    () => (pulse < 0 ? { uses: [], points: [] } : { uses: usageByModel(picture, estimator), points: contextOfCalls(picture) }),
    [picture, pulse, estimator],
  )
  const isEstimated = uses.some(({ withEstimate }) => withEstimate > 0)
  if (uses.length === 0) return null
  return (
    <section aria-labelledby="context-and-cost" className={styles.panel}>
      <h3 id="context-and-cost">Context and cost</h3>
      {points.length > 1 && <Growth points={points} />}
      <table aria-label="Tokens and cost by model">
        <thead>
          <tr>
            {['Model', 'Calls', 'In', 'Cached', 'Out', 'Cost', ...(isEstimated ? ['Estimated'] : [])].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <tr key={use.model ?? ''}>
              <th scope="row">{use.model ?? 'not said'}</th>
              <td>{count(use.calls)}</td>
              <Tokens use={use} value={use.inputTokens} />
              <td title={use.cachedTokens === undefined ? 'Not reported' : exactly(use.cachedTokens)}>{count(use.cachedTokens)}</td>
              <Tokens use={use} value={use.outputTokens} />
              <Cost use={use} />
              {isEstimated && <Estimated use={use} />}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Cost is what the calls reported.
        {isEstimated && ` Where they reported none it is estimated, with the prices of ${PRICE_SOURCE}; yours may differ.`}
      </p>
    </section>
  )
})

function Tokens({ use, value }: { use: ModelUse; value: number | undefined }) {
  if (value === undefined) return <td title="No call reported tokens">{MISSING}</td>
  const part = use.withTokens < use.calls ? `, from ${use.withTokens} of ${use.calls} calls` : ''
  return (
    <td title={`${exactly(value)}${part}`}>
      {count(value)}
      {part !== '' && '+'}
    </td>
  )
}

function Cost({ use: { costUsd, withCost, calls } }: { use: ModelUse }) {
  if (costUsd === undefined) return <td title="No call reported a cost">unknown</td>
  const part = withCost < calls ? `reported by ${withCost} of ${calls} calls` : 'as reported'
  return (
    <td title={`$${exactly(costUsd)}, ${part}`}>
      {cost(costUsd)}
      {withCost < calls && '+'}
    </td>
  )
}

function Estimated({ use: { estimatedUsd, withEstimate, withCost, calls } }: { use: ModelUse }) {
  if (estimatedUsd === undefined) return <td title="The table of prices can’t tell">{MISSING}</td>
  const part = withEstimate < calls - withCost
  return (
    <td title={`About $${exactly(estimatedUsd)} for ${withEstimate} of ${calls} calls; not a part of the reported cost`}>
      {aboutCost(estimatedUsd)}
      {part && '+'}
    </td>
  )
}

function Growth({ points }: { points: readonly ContextPoint[] }) {
  const { select } = useSelection()
  const columns = useMemo(() => columnsOf(points, COLUMNS), [points])
  const largest = points.reduce((most, point) => (point.tokens > most.tokens ? point : most))
  const [first, last] = [points[0], points.at(-1)]
  const told = `Context of ${plural(points.length, 'model call')}: ${count(first?.tokens)} tokens in the first, ${count(last?.tokens)} in the last, ${count(largest.tokens)} at most`
  const scale = HEIGHT / Math.max(1, largest.tokens)
  return (
    <>
      <svg role="img" aria-label={told} viewBox={`0 0 ${Math.max(columns.length, 12) * 10} ${HEIGHT}`} preserveAspectRatio="none">
        {columns.map((point, at) => (
          <rect
            key={point.instanceId}
            x={at * 10 + 1}
            y={HEIGHT - point.tokens * scale}
            width={8}
            height={Math.max(1, point.tokens * scale)}
            data-largest={point === largest}
          >
            <title>{`${point.name}: ${exactly(point.tokens)} tokens in`}</title>
          </rect>
        ))}
      </svg>
      <p className={styles.growth}>
        <span>
          {count(first?.tokens)} → {count(last?.tokens)} tokens in, over {plural(points.length, 'call')}
        </span>
        <button type="button" onClick={() => select(largest.instanceId)}>
          Largest: {largest.name}, {count(largest.tokens)}
        </button>
      </p>
    </>
  )
}
