import { describe, expect, it } from 'vitest'
import { type Frame, FrameBuffer } from './buffer.ts'

function frame(seq: number, bytes = 10, runId = 'run'): Frame {
  return { runId, seq, text: String(seq), bytes }
}

function takeAll(buffer: FrameBuffer): number[] {
  const taken: number[] = []
  for (let next = buffer.take(); next !== undefined; next = buffer.take()) taken.push(next.seq)
  return taken
}

describe('the buffer', () => {
  it('gives frames out once, oldest first, and all again after a rewind', () => {
    const buffer = new FrameBuffer({ frames: 10, bytes: 1000 })
    for (const seq of [0, 1, 2]) buffer.push(frame(seq))
    expect(takeAll(buffer)).toEqual([0, 1, 2])
    buffer.push(frame(3))
    expect(takeAll(buffer)).toEqual([3])
    buffer.rewind()
    expect(takeAll(buffer)).toEqual([0, 1, 2, 3])
  })

  it.each([
    ['by number', { frames: 3, bytes: 1000 }],
    ['by bytes', { frames: 100, bytes: 30 }],
  ])('pushes out the oldest %s', (_how, limits) => {
    const buffer = new FrameBuffer(limits)
    for (const seq of [0, 1, 2, 3, 4]) buffer.push(frame(seq))
    expect(takeAll(buffer)).toEqual([2, 3, 4])
    expect(buffer).toMatchObject({ dropped: 2, lost: 2, size: 3 })
  })

  it('keeps the newest frame, however large', () => {
    const buffer = new FrameBuffer({ frames: 3, bytes: 30 })
    buffer.push(frame(0))
    buffer.push(frame(1, 500))
    expect(takeAll(buffer)).toEqual([1])
  })

  it('counts as lost only what nobody ever got', () => {
    const buffer = new FrameBuffer({ frames: 2, bytes: 1000 })
    buffer.push(frame(0))
    buffer.push(frame(1))
    takeAll(buffer)
    expect(buffer.push(frame(2))).toBe(0)
    expect(buffer.push(frame(3))).toBe(0)
    expect(buffer.push(frame(4))).toBe(1)
    expect(buffer).toMatchObject({ dropped: 3, lost: 1 })
  })

  it('announces losses by run, once', () => {
    const buffer = new FrameBuffer({ frames: 1, bytes: 1000 })
    buffer.push(frame(0, 10, 'a'))
    buffer.push(frame(1, 10, 'b'))
    buffer.push(frame(2, 10, 'a'))
    buffer.push(frame(3, 10, 'c'))
    expect(buffer.pendingGaps).toBe(2)
    expect(buffer.takeGaps()).toEqual([
      { runId: 'a', droppedCount: 2, fromSeq: 0, toSeq: 2 },
      { runId: 'b', droppedCount: 1, fromSeq: 1, toSeq: 1 },
    ])
    expect(buffer.takeGaps()).toEqual([])
  })

  it('stays right over many thousands of frames', () => {
    const buffer = new FrameBuffer({ frames: 5, bytes: 1000 })
    for (let seq = 0; seq < 20_000; seq += 1) buffer.push(frame(seq))
    expect(takeAll(buffer)).toEqual([19_995, 19_996, 19_997, 19_998, 19_999])
    expect(buffer.lost).toBe(19_995)
  })
})
