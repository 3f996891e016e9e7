import { useId } from 'react'
import styles from './choice.module.css'

interface ChoiceProps<Value extends string> {
  readonly legend: string
  readonly options: readonly { readonly value: Value; readonly label: string; readonly title?: string }[]
  readonly chosen: Value
  readonly choose: (value: Value) => void
  readonly disabled?: boolean
  readonly small?: boolean
}

/** One of a few: radio buttons that look like one switch. */
export function Choice<Value extends string>({ legend, options, chosen, choose, disabled, small = false }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choice} disabled={disabled} data-small={small}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ value, label, title }) => (
        <label key={value} data-chosen={value === chosen} title={title}>
          <input type="radio" name={name} className="visually-hidden" checked={value === chosen} onChange={() => choose(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
