import { useState } from 'react';
import { ToolField } from '../../ui/controls/ToolField.tsx';

export const RADII = [10, 25, 50, 100] as const;

/** The place around which the past is shown; empty: everywhere. Enter goes there. */
export function PlaceFields({
  near,
  radius,
  onPlace,
}: {
  near: string;
  radius: number;
  onPlace: (place: { near: string; radius: number }) => void;
}) {
  const [words, setWords] = useState(near);
  const go = () => words.trim() !== near && onPlace({ near: words.trim(), radius });

  return (
    <ToolField label="Near">
      <input
        aria-label="Near"
        value={words}
        placeholder="everywhere"
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && go()}
        onBlur={go}
      />
      <select
        aria-label="Radius"
        value={radius}
        onChange={({ target }) => onPlace({ near: words.trim(), radius: Number(target.value) })}
      >
        {RADII.map((km) => (
          <option key={km} value={km}>
            {km} km
          </option>
        ))}
      </select>
    </ToolField>
  );
}
