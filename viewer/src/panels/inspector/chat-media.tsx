import { File, Image } from 'lucide-react'
import { useState } from 'react'
import { MISSING, size } from '../../model/format.ts'
import { type Media, MOST_PICTURE_BYTES } from '../../model/media.ts'
import styles from './inspector.module.css'

/** A picture of a message, small until it is pressed; everything else by name and size. */
export function ChatMedia({ media: { media, bytes, picture, elsewhere } }: { media: Media }) {
  const [large, setLarge] = useState(false)
  const [pixels, setPixels] = useState<string | 'broken'>()
  const name = `${media}, ${bytes === undefined ? MISSING : size(bytes)}`
  const isDrawn = picture !== undefined && pixels !== 'broken'
  return (
    <figure className={styles.media}>
      {isDrawn && (
        <button
          type="button"
          aria-pressed={large}
          aria-label={`Show ${name} ${large ? 'small' : 'large'}`}
          onClick={() => setLarge(!large)}
        >
          <img
            src={picture}
            alt=""
            loading="lazy"
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setPixels(`${naturalWidth} × ${naturalHeight}`)}
            onError={() => setPixels('broken')}
          />
        </button>
      )}
      <figcaption>
        {media.startsWith('image') ? <Image size={14} aria-hidden="true" /> : <File size={14} aria-hidden="true" />}
        {elsewhere === undefined ? name : `${media} at ${elsewhere}`}
        {isDrawn && pixels !== undefined && `, ${pixels}`}
        {pixels === 'broken' && '. It can’t be drawn: it is cut off or damaged.'}
        {elsewhere !== undefined && '. It is not in the message, and nothing is loaded from elsewhere.'}
        {picture === undefined &&
          bytes !== undefined &&
          bytes > MOST_PICTURE_BYTES &&
          `. Pictures are drawn up to ${size(MOST_PICTURE_BYTES)}.`}
      </figcaption>
    </figure>
  )
}
