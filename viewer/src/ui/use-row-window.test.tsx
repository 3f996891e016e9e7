import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { giveSize } from '../testing/give-size.ts'
import { useRowWindow } from './use-row-window.ts'

beforeEach(giveSize)
afterEach(cleanup)

let scrollTo: (index: number) => void = () => undefined

function List({ count, height = 20, head = 0 }: { count: number; height?: number; head?: number }) {
  const scroller = useRef<HTMLDivElement>(null)
  const inPage = useRowWindow({ scroller, count, height, overscan: 2, head })
  scrollTo = inPage.scrollTo
  return (
    <div ref={scroller} data-testid="scroller" data-total={inPage.total}>
      {inPage.items.map(({ index, start }) => (
        <p key={index}>{`${index} at ${start}`}</p>
      ))}
    </div>
  )
}

const drawn = () => screen.getAllByText(/ at /).map((row) => row.textContent)
const scroller = () => screen.getByTestId('scroller')

describe('the rows in sight of a long list', () => {
  it('are those of the place that is scrolled to, with some on either side', () => {
    render(<List count={100_000} />)
    expect([drawn()[0], drawn().at(-1)]).toEqual(['0 at 0', '31 at 620'])
    scroller().scrollTop = 1010
    fireEvent.scroll(scroller())
    expect([drawn()[0], drawn().at(-1)]).toEqual(['48 at 960', '82 at 1640'])
    expect(scroller().dataset['total']).toBe('2000000')
  })

  it('end with the list, also when it got shorter', () => {
    const { rerender } = render(<List count={100} />)
    scroller().scrollTop = 1400
    fireEvent.scroll(scroller())
    expect(drawn().at(-1)).toBe('99 at 1980')
    rerender(<List count={3} />)
    expect(drawn()).toEqual(['1 at 20', '2 at 40'])
  })

  it('follow another height of the rows', () => {
    const { rerender } = render(<List count={100} />)
    rerender(<List count={100} height={60} />)
    expect(drawn().at(-1)).toBe('11 at 660')
  })

  it('are scrolled no further than a row needs to be seen whole', () => {
    render(<List count={1000} head={30} />)
    const to = (index: number) => {
      act(() => scrollTo(index))
      return scroller().scrollTop
    }
    expect([to(5), to(40), to(39), to(20), to(3)]).toEqual([0, 250, 250, 250, 60])
    expect(drawn()[0]).toBe('1 at 20')
  })
})
