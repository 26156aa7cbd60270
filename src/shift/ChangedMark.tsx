import { useChanges } from './changeStore.ts';

const UP = 'M12 2 22 13h-6.5v9h-7v-9H2z';
const DOWN = 'M12 22 2 11h6.5V2h7v9H22z';

/** An alert as it is shown. */
export interface Marked {
  event_id: string;
  severity?: string | null | undefined;
}

export const useChangeMark = ({ event_id, severity }: Marked) =>
  useChanges(({ marks }) => {
    const mark = marks[event_id];
    return mark?.severity && severity && mark.severity !== severity ? undefined : mark;
  });

/** "Worse: was Medium" with an arrow up; nothing where nothing changed. */
export function ChangedMark({ of, className }: { of: Marked; className?: string | undefined }) {
  const mark = useChangeMark(of);
  if (!mark) return null;

  return (
    <span className={className}>
      {mark.arrow && (
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          style={{
            display: 'inline',
            width: '0.8em',
            height: '0.8em',
            marginRight: '0.3em',
            fill: 'currentColor',
          }}
        >
          <path d={mark.arrow === 'up' ? UP : DOWN} />
        </svg>
      )}
      {mark.text}
    </span>
  );
}
