import { useEffect, useState } from 'react'
import { loadPrices } from '../link/load-prices.ts'
import { type Estimator, estimatorOf } from '../model/estimate.ts'
import { useWorkbench } from './viewer-context.tsx'

let loading: Promise<Estimator> | undefined

/** Estimates what calls cost, once the table of prices is there; undefined without one, or when the reader wants no estimates. */
export function useEstimator(): Estimator | undefined {
  const isWanted = useWorkbench((state) => state.estimates)
  const [estimator, setEstimator] = useState<Estimator>()
  useEffect(() => {
    if (!isWanted || loadPrices === undefined) return
    let wanted = true
    loading ??= loadPrices().then(estimatorOf)
    loading.then(
      (loaded) => wanted && setEstimator(() => loaded),
      (error: unknown) => {
        // Without the table costs are what was reported; the next call that is looked at tries again.
        loading = undefined
        console.info('The table of prices could not be loaded:', error)
      },
    )
    return () => {
      wanted = false
    }
  }, [isWanted])
  return isWanted ? estimator : undefined
}
