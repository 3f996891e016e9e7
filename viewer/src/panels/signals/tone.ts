const SECONDS = 0.18
const VOLUME = 0.08

let audio: AudioContext | undefined

/** Two short soft tones. Browsers let a page sound only after somebody used it; until then it stays silent. */
export function playTone(): void {
  audio ??= new AudioContext()
  const { currentTime } = audio
  for (const [at, hertz] of [
    [0, 660],
    [SECONDS, 880],
  ] as const) {
    const tone = audio.createOscillator()
    const gain = audio.createGain()
    tone.frequency.value = hertz
    gain.gain.setValueAtTime(VOLUME, currentTime + at)
    gain.gain.exponentialRampToValueAtTime(0.0001, currentTime + at + SECONDS)
    tone.connect(gain).connect(audio.destination)
    tone.start(currentTime + at)
    tone.stop(currentTime + at + SECONDS)
  }
}
